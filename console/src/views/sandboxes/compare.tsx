import type { SandboxSummary } from '../../../../src/control/client/types.ts'
import { Failed } from '../../parts/failed.tsx'
import { controlOf } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { Differences } from './differences.tsx'
import { diffStates } from './state-diff.ts'
import { reasonNotToCompare } from './words.ts'

interface CompareProps {
  readonly sandboxes: readonly SandboxSummary[]
  readonly left: string
  readonly right: string | undefined
  readonly choose: (left: string, right: string) => void
  readonly close: () => void
}

/** What differs between the states of two sandboxes. */
export function Compare({ sandboxes, left, right: given, choose, close }: CompareProps) {
  const right = given ?? sandboxes.find(({ name }) => name !== left)?.name ?? left
  const find = (name: string) => sandboxes.find((one) => one.name === name)
  const [a, b] = [find(left), find(right)]
  const missing = [left, right].find((name) => !find(name))
  const reason =
    missing === undefined ? a && b && reasonNotToCompare(a, b) : `There is no sandbox ${missing}. Choose another one.`
  return (
    <section class="pane detail" aria-label="Compare two sandboxes">
      <div class="toolbar">
        <h2>Compare two sandboxes</h2>
        <span class="toolbar-rest" />
        <button onClick={close}>Close</button>
      </div>
      <div class="detail-body">
        <div class="form-row">
          <Choice label="First sandbox" sandboxes={sandboxes} value={left} set={(name) => choose(name, right)} />
          <Choice label="Second sandbox" sandboxes={sandboxes} value={right} set={(name) => choose(left, name)} />
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
}

function Choice({ label, sandboxes, value, set }: ChoiceProps) {
  const names = sandboxes.map(({ name }) => name)
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {(names.includes(value) ? names : [value, ...names]).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}

function Compared({ left, right }: { readonly left: string; readonly right: string }) {
  const { value, error, isLoading, reload } = useLoad(async () => {
    const [a, b] = await Promise.all([controlOf(left).getState(), controlOf(right).getState()])
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
      {value ? <Differences diff={value} left={left} right={right} /> : error === undefined ? <p>Comparing…</p> : null}
    </>
  )
}
