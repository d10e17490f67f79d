import type { SandboxSummary } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { Failed } from '../../parts/failed.tsx'
import { controlOf } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { comparableStates, START } from './comparable-states.ts'
import { Differences } from './differences.tsx'
import { diffStates } from './state-diff.ts'
import { reasonNotToCompare } from './words.ts'

interface CompareProps {
  readonly sandboxes: readonly SandboxSummary[]
  readonly left: string
  readonly right: string
  readonly choose: (left: string, right: string) => void
  readonly close: () => void
}

/** What differs between the states of two sandboxes, or between a sandbox and its start. */
export function Compare({ sandboxes, left, right, choose, close }: CompareProps) {
  const find = (name: string) => sandboxes.find((one) => one.name === name)
  const [a, b] = [find(left), find(right)]
  const missing = [left, right].find((name) => name !== START && !find(name))
  const reason =
    missing === undefined
      ? b && reasonNotToCompare(a ?? b, b, left === START)
      : `There is no sandbox ${missing}. Choose another one.`
  return (
    <section class="pane detail" aria-label="Compare">
      <div class="toolbar">
        <h2>What changed</h2>
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      <div class="detail-body">
        <div class="form-row">
          <Choice
            label="Before"
            sandboxes={sandboxes}
            value={left}
            set={(name) => choose(name, right)}
            start={`the start of ${right}`}
          />
          <Choice label="After" sandboxes={sandboxes} value={right} set={(name) => choose(left, name)} />
        </div>
        {sandboxes.length === 0 ? null : reason === undefined ? (
          <Compared key={`${left} ${right}`} left={left} right={right} />
        ) : (
          <p class="callout">{reason}</p>
        )}
      </div>
    </section>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly sandboxes: readonly SandboxSummary[]
  readonly value: string
  readonly set: (name: string) => void
  /** What the start of the other sandbox is called; undefined where it cannot be chosen. */
  readonly start?: string
}

function Choice({ label, sandboxes, value, set, start }: ChoiceProps) {
  const names = sandboxes.map(({ name }) => name)
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {start === undefined ? null : <option value={START}>{start}</option>}
        {(names.includes(value) || value === START ? names : [value, ...names]).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}

function Compared({ left, right }: { readonly left: string; readonly right: string }) {
  const { value, error, isLoading, reload } = useLoad(async () => {
    const [a, b] = await comparableStates(controlOf, left, right)
    return diffStates(a, b)
  }, [left, right])
  return (
    <>
      <div class="buttons">
        <button onClick={reload} disabled={isLoading}>
          Compare again
        </button>
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {value ? (
        <Differences diff={value} left={left === START ? `the start of ${right}` : left} right={right} />
      ) : error === undefined ? (
        <p>Comparing…</p>
      ) : null}
    </>
  )
}
