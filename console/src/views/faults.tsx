import { useState } from 'preact/hooks'
import { ControlError } from '../../../src/control/client/client.ts'
import type { FaultRecord, FaultRequest, PresetRequest } from '../../../src/control/client/types.ts'
import { ErrorMessage } from '../parts/error-message.tsx'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Failed } from '../parts/failed.tsx'
import { control, messageOf } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { FAULT_KINDS, FAULT_PRESETS } from './faults/fault-kinds.ts'
import { FaultForm } from './faults/fault-form.tsx'

/** The faults of the sandbox: how often each struck, and a form to arm another. */
export function Faults() {
  const { value, error, reload } = useLoad((client) => client.listFaults(), [], ['state', 'exchange'])
  const [refused, setRefused] = useState<unknown>()
  const change = (result: Promise<unknown>) => {
    setRefused(undefined)
    result.then(reload, setRefused)
  }
  const arm = (fault: FaultRequest | PresetRequest) => change(control.value.armFaults(fault))
  const remove = (id: string) => change(control.value.removeFault(id))
  const faults = value?.faults ?? []
  const [armed, spent] = [faults.filter((fault) => !fault.spent), faults.filter((fault) => fault.spent)]
  const problems = problemsOf(refused)
  return (
    <section class="pane" aria-label="Faults">
      <div class="toolbar">
        <h1>Faults</h1>
        <span class="toolbar-rest" />
        {faults.length === 0 ? null : (
          <ConfirmButton
            label="Remove all faults"
            question="Remove all for good?"
            act={() => change(control.value.removeFaults())}
          />
        )}
      </div>
      <div class="pane-body columns">
        <div>
          <h2>Armed</h2>
          {error === undefined ? null : <Failed error={error} retry={reload} />}
          {value && armed.length === 0 ? (
            <p class="quiet">
              No faults: every request is answered as the contract says. Arm one to see how your app copes.
            </p>
          ) : (
            <FaultCards faults={armed} remove={remove} />
          )}
          {spent.length === 0 ? null : (
            <>
              <h2>Used up</h2>
              <FaultCards faults={spent} remove={remove} />
            </>
          )}
          <h2>Presets</h2>
          <div class="buttons">
            {FAULT_PRESETS.map(({ preset, title }) => (
              <button key={preset} onClick={() => arm({ preset })}>
                {title}
              </button>
            ))}
          </div>
        </div>
        <div>
          <h2>Arm a fault</h2>
          <FaultForm arm={arm} problems={problems} />
          <ErrorMessage text={refused === undefined || problems.size > 0 ? undefined : messageOf(refused)} />
        </div>
      </div>
    </section>
  )
}

interface FaultCardsProps {
  readonly faults: readonly FaultRecord[]
  readonly remove: (id: string) => void
}

function FaultCards({ faults, remove }: FaultCardsProps) {
  return (
    <ul class="plain cards">
      {faults.map((fault) => (
        <Fault key={fault.id} fault={fault} remove={() => remove(fault.id)} />
      ))}
    </ul>
  )
}

/** What the control API refused of a fault, by the last name of its pointer; empty if it is about no field. */
function problemsOf(error: unknown): ReadonlyMap<string, string> {
  const errors = error instanceof ControlError ? error.errors : []
  return new Map(
    errors.flatMap(({ pointer, message }) => {
      const name = pointer?.split('/').find((part) => FIELDS.has(part))
      return name === undefined ? [] : [[name, message] as const]
    }),
  )
}

const FIELDS: ReadonlySet<string> = new Set([
  ...['page', 'times', 'after', 'chance'],
  ...FAULT_KINDS.flatMap(({ fields }) => fields.map(({ name }) => name)),
])

function Fault({ fault, remove }: { readonly fault: FaultRecord; readonly remove: () => void }) {
  const { id, kind, match, chance, times, after, matched, struck } = fault
  const where = [
    match.operationId,
    match.method,
    match.path,
    match.page === undefined ? undefined : `page ${match.page}`,
  ]
  const limits = [
    times === undefined ? undefined : times === 1 ? 'once' : `${times} times`,
    after > 0 ? `after ${after} others` : undefined,
    chance < 1 ? `${Math.round(chance * 100)} % of them` : undefined,
  ]
  return (
    <li class="card">
      <div class="card-head">
        <strong>{FAULT_KINDS.find((one) => one.kind === kind)?.title ?? kind}</strong>
        <span class="toolbar-rest" />
        <button onClick={remove} aria-label={`Remove the fault ${id}`}>
          Remove
        </button>
      </div>
      <p>
        {kind === 'status' && fault.status !== undefined ? `Status ${fault.status} · ` : ''}
        {where.filter((one) => one !== undefined).join(' · ') || 'every request'}
        {limits.some((one) => one !== undefined) ? ` · ${limits.filter((one) => one !== undefined).join(' · ')}` : ''}
      </p>
      <p class="quiet">
        Struck {struck} of {matched} matching {matched === 1 ? 'request' : 'requests'} · <code>{id}</code>
      </p>
    </li>
  )
}
