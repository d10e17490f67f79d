import { useState } from 'preact/hooks'
import type { StubRecord, StubRequest } from '../../../../src/control/client/types.ts'
import type { Violation } from '../../../../src/base/errors/problem.ts'
import { info } from '../../session.ts'
import { JsonEditor } from '../collections/editor/json-editor.tsx'
import type { Members } from '../collections/editor/use-draft.ts'

interface StubFormProps {
  readonly declare: (stub: StubRequest) => void
  /** What the form begins with; undefined for a new one. */
  readonly edited: StubRecord | undefined
  /** What the control API refused. */
  readonly errors: readonly Violation[]
}

const NEW: Members = { name: 'my stub', when: {}, respond: { status: 200 } }

/** Declares a stub: its operation, and the rest as JSON, as files have it. */
export function StubForm({ declare, edited, errors }: StubFormProps) {
  const operations = info.value?.operations ?? []
  const [stub, setStub] = useState<Members>(() =>
    edited?.stub ? { name: edited.name, ...edited.stub } : { operation: operations[0]?.operationId, ...NEW },
  )
  const [isValid, setValid] = useState(true)
  const { operation } = stub
  return (
    <form
      class="form card"
      onSubmit={(event) => {
        event.preventDefault()
        declare(stub)
      }}
    >
      <label class="field">
        <span>For requests of</span>
        <select
          value={typeof operation === 'string' ? operation : ''}
          onChange={({ currentTarget }) => setStub((held) => ({ ...held, operation: currentTarget.value }))}
        >
          {operations.map(({ operationId }) => (
            <option key={operationId} value={operationId}>
              {operationId}
            </option>
          ))}
        </select>
      </label>
      <JsonEditor
        label="Stub as JSON"
        value={stub}
        errors={errors}
        set={setStub}
        setInvalid={(_pointer, message) => setValid(message === undefined)}
      />
      <p class="quiet">
        <code>when</code> says which requests, <code>respond</code> what they get; <code>change</code>,{' '}
        <code>fault</code>, <code>times</code> and <code>scenario</code> are as in files. One of the same name is
        replaced.
      </p>
      <button class="primary" disabled={!isValid}>
        Declare the stub
      </button>
    </form>
  )
}
