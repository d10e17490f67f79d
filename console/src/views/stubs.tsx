import { useState } from 'preact/hooks'
import { ControlError } from '../../../src/control/client/client.ts'
import type { StubRecord, StubRequest } from '../../../src/control/client/types.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { ErrorMessage } from '../parts/error-message.tsx'
import { Failed } from '../parts/failed.tsx'
import { Icon } from '../parts/icon.tsx'
import { control, messageOf } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { counted } from './history/event-words.ts'
import { StubForm } from './stubs/stub-form.tsx'

/** The responses that are declared for some requests, and a form to declare another in the sandbox. */
export function Stubs() {
  const { value, error, reload } = useLoad((client) => client.listStubs(), [], ['state', 'exchange'])
  const [refused, setRefused] = useState<unknown>()
  const [edited, setEdited] = useState<StubRecord>()
  const change = (result: Promise<unknown>) => {
    setRefused(undefined)
    result.then(reload, setRefused)
  }
  const remove = (name: string) => change(control.value.removeStub(name))
  const stubs = value?.stubs ?? []
  const [declared, written] = [stubs.filter(({ place }) => place === null), stubs.filter(({ place }) => place !== null)]
  const scenarios = Object.entries(value?.scenarios ?? {})
  const errors = refused instanceof ControlError ? refused.errors : []
  return (
    <section class="pane" aria-label="Stubs">
      <div class="toolbar">
        <h1>Stubs</h1>
        <span class="toolbar-rest" />
        {declared.length === 0 ? null : (
          <ConfirmButton
            label="Remove all declared here"
            question="Remove all for good?"
            act={() => change(control.value.removeStubs())}
          />
        )}
      </div>
      <div class="pane-body columns">
        <div>
          <h2>Declared in this sandbox</h2>
          {error === undefined ? null : <Failed error={error} retry={reload} />}
          {value && declared.length === 0 ? (
            <Empty icon="stubs" title="No stubs declared here">
              <p>Declare one to say what the requests that it describes get.</p>
            </Empty>
          ) : (
            <StubCards stubs={declared} remove={remove} edit={setEdited} />
          )}
          {scenarios.length === 0 ? null : (
            <p class="quiet">Scenarios: {scenarios.map(([name, state]) => `${name} is in ${state}`).join(', ')}</p>
          )}
          {written.length === 0 ? null : (
            <>
              <h2>Of the settings and the contract</h2>
              <StubCards stubs={written.slice(0, SHOWN)} />
              {written.length > SHOWN ? <p class="quiet">and {written.length - SHOWN} more</p> : null}
            </>
          )}
        </div>
        <div>
          <h2>Declare a stub</h2>
          <StubForm
            key={edited?.name}
            edited={edited}
            errors={errors}
            declare={(stub: StubRequest) => change(control.value.declareStubs(stub))}
          />
          <ErrorMessage text={refused === undefined || errors.length > 0 ? undefined : messageOf(refused)} />
        </div>
      </div>
    </section>
  )
}

/** A contract can have thousands. */
const SHOWN = 200

interface StubCardsProps {
  readonly stubs: readonly StubRecord[]
  /** Absent for those that a request cannot remove. */
  readonly remove?: (name: string) => void
  readonly edit?: (stub: StubRecord) => void
}

function StubCards({ stubs, remove, edit }: StubCardsProps) {
  return (
    <ul class="plain cards">
      {stubs.map((stub) => {
        const { name, operations, place, uses, problem } = stub
        return (
          <li key={name} class="card">
            <div class="card-head">
              <Icon name="stubs" />
              {edit ? (
                <button class="card-title" data-item="opens" title="Edit" onClick={() => edit(stub)}>
                  {name}
                </button>
              ) : (
                <span class="card-title">{name}</span>
              )}
              {remove ? (
                <button
                  class="icon-button"
                  title="Remove"
                  aria-label={`Remove the stub ${name}`}
                  onClick={() => remove(name)}
                >
                  <Icon name="remove" />
                </button>
              ) : null}
            </div>
            <p class="quiet">
              {operations.slice(0, 5).join(', ')}
              {operations.length > 5 ? ` and ${operations.length - 5} more` : ''}
              {uses === null ? '' : ` · used for ${counted(uses, 'request', 'requests')}`}
              {place === null ? '' : ` · ${place}`}
            </p>
            <ErrorMessage text={problem ?? undefined} />
          </li>
        )
      })}
    </ul>
  )
}
