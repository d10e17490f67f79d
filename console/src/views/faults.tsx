import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import { ControlError } from '../../../src/control/client/client.ts'
import type { FaultRecord, FaultRequest, PresetRequest } from '../../../src/control/client/types.ts'
import { Empty } from '../parts/empty.tsx'
import { ErrorMessage } from '../parts/error-message.tsx'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Failed } from '../parts/failed.tsx'
import { Icon } from '../parts/icon.tsx'
import { withoutPlace } from '../parts/without-place.ts'
import { useEscape } from '../parts/use-escape.ts'
import { control, messageOf } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { FAULT_KINDS, FAULT_PRESETS } from './faults/fault-kinds.ts'
import { FaultDetail } from './faults/fault-detail.tsx'
import './faults/faults.css'
import { FaultForm } from './faults/fault-form.tsx'
import { limitsOf, titleOf } from './faults/fault-words.ts'

/** The faults of the sandbox: how often each struck, and a form to arm another. */
export function Faults() {
  const [location, go] = useLocation()
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
  const selected = faults.find(({ id }) => `/${encodeURIComponent(id)}` === location || `/${id}` === location)
  const [, wanted = ''] = /^\/for\/(.+)$/.exec(decodeURIComponent(location)) ?? []
  const close = () => go('/')
  useEscape(selected !== undefined, close)
  return (
    <div class={`split ${selected ? 'split-open' : ''}`}>
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
              <Empty icon="faults" title="No faults">
                <p>Every request gets the response of the contract. Arm a fault to see how your app copes.</p>
              </Empty>
            ) : (
              <FaultCards faults={armed} selected={selected} remove={remove} />
            )}
            {spent.length === 0 ? null : (
              <>
                <h2>Used up</h2>
                <FaultCards faults={spent} selected={selected} remove={remove} />
              </>
            )}
            <h2>Presets</h2>
            <ul class="plain presets">
              {FAULT_PRESETS.map(({ preset, title, what }) => (
                <li key={preset}>
                  <button class="preset" onClick={() => arm({ preset })}>
                    <Icon name="faults" />
                    <strong>{title}</strong>
                    <span class="quiet">{what}</span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
          <div>
            <h2>Arm a fault</h2>
            <FaultForm key={wanted} arm={arm} problems={problems} operationId={wanted} />
            <ErrorMessage text={refused === undefined || problems.size > 0 ? undefined : messageOf(refused)} />
          </div>
        </div>
      </section>
      {selected ? (
        <FaultDetail
          key={selected.id}
          fault={selected}
          remove={() => {
            remove(selected.id)
            close()
          }}
          close={close}
        />
      ) : null}
    </div>
  )
}

interface FaultCardsProps {
  readonly faults: readonly FaultRecord[]
  readonly selected: FaultRecord | undefined
  readonly remove: (id: string) => void
}

function FaultCards({ faults, selected, remove }: FaultCardsProps) {
  return (
    <ul class="plain cards">
      {faults.map((fault) => (
        <Fault key={fault.id} fault={fault} isSelected={fault === selected} remove={() => remove(fault.id)} />
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
      return name === undefined ? [] : [[name, withoutPlace(message, pointer ?? '')] as const]
    }),
  )
}

const FIELDS: ReadonlySet<string> = new Set([
  ...['page', 'times', 'after', 'chance'],
  ...FAULT_KINDS.flatMap(({ fields }) => fields.map(({ name }) => name)),
])

interface FaultProps {
  readonly fault: FaultRecord
  readonly isSelected: boolean
  readonly remove: () => void
}

function Fault({ fault, isSelected, remove }: FaultProps) {
  const { id, matched, struck } = fault
  return (
    <li class={fault.spent ? 'card card-spent' : 'card'}>
      <div class="card-head">
        <Icon name="faults" />
        <Link href={`/${encodeURIComponent(id)}`} class="card-title" data-item="opens" aria-current={isSelected}>
          {titleOf(fault)}
        </Link>
        <button class="icon-button" title="Remove" aria-label={`Remove the fault ${id}`} onClick={remove}>
          <Icon name="remove" />
        </button>
      </div>
      <p>{limitsOf(fault).join(' · ')}</p>
      <p class="quiet">
        Struck {struck} of {matched} matching {matched === 1 ? 'request' : 'requests'} · <code>{id}</code>
      </p>
    </li>
  )
}
