import { useState } from 'preact/hooks'
import type { FaultRequest } from '../../../../src/control/client/types.ts'
import { info } from '../../session.ts'
import { FAULT_KINDS, faultOf, type FaultField, type FaultForm as Form, kindsOf, operationsOf } from './fault-kinds.ts'
import { ErrorMessage } from '../../parts/error-message.tsx'

const EMPTY: Form = { kind: 'status', operationId: '', page: '', times: '1', after: '', chance: '100' }

/** What a fault without an operation applies to. */
const EVERY = { requests: 'every request', pages: 'every list', changes: 'every change' } as const

interface FaultFormProps {
  readonly arm: (fault: FaultRequest) => void
  /** What the control API refused, by the name of the field. */
  readonly problems: ReadonlyMap<string, string>
  /** What the form begins with; empty for every operation. */
  readonly operationId: string
}

/** Arms a fault: what happens, to which requests, how often. */
export function FaultForm({ arm, problems, operationId: first }: FaultFormProps) {
  const [form, setForm] = useState<Form>({ ...EMPTY, ...initialOf('status'), operationId: first })
  const set = (name: string, value: string) => setForm((held) => ({ ...held, [name]: value }))
  const all = info.value?.operations
  const chosen = FAULT_KINDS.find(({ kind }) => kind === form.kind)
  const operations = operationsOf(form.kind ?? '', all ?? [])
  // What the kind that was chosen before could meet, this one may not.
  const operationId = operations.some((one) => one.operationId === form.operationId) ? form.operationId : ''
  const hasPages = operations.some((one) => one.hasPages && (operationId === '' || one.operationId === operationId))
  const field = (
    name: string,
    label: string,
    more: { readonly min?: number; readonly max?: number; placeholder?: string },
  ) => (
    <div>
      <label class="field">
        <span>{label}</span>
        <input
          type="number"
          value={form[name] ?? ''}
          onInput={(event) => set(name, event.currentTarget.value)}
          aria-invalid={problems.has(name)}
          {...more}
        />
      </label>
      <ErrorMessage text={problems.get(name)} />
    </div>
  )
  return (
    <form
      class="form card"
      onSubmit={(event) => {
        event.preventDefault()
        arm(faultOf({ ...form, operationId: operationId ?? '', ...(hasPages ? {} : { page: '' }) }))
      }}
    >
      <label class="field">
        <span>What happens</span>
        <select
          value={form.kind}
          onChange={(event) => setForm((held) => ({ ...held, ...initialOf(event.currentTarget.value) }))}
        >
          {kindsOf(all).map(({ kind, title }) => (
            <option key={kind} value={kind}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {chosen?.fields.map((one) => (
        <KindField
          key={one.name}
          field={one}
          value={form[one.name] ?? ''}
          set={(value) => set(one.name, value)}
          problem={problems.get(one.name)}
        />
      ))}
      <div class="form-row">
        <label class="field">
          <span>To which operation</span>
          <select value={operationId} onChange={(event) => set('operationId', event.currentTarget.value)}>
            <option value="">{EVERY[chosen?.of ?? 'requests']}</option>
            {operations.map((one) => (
              <option key={one.operationId} value={one.operationId}>
                {one.operationId}
              </option>
            ))}
          </select>
        </label>
        {hasPages ? field('page', 'Only page', { min: 1, placeholder: 'any' }) : null}
      </div>
      <div class="form-row">
        {field('times', 'How often', { min: 1, placeholder: 'always' })}
        {field('after', 'After this many others', { min: 0, placeholder: '0' })}
        {field('chance', 'Chance in %', { min: 1, max: 100 })}
      </div>
      <div class="buttons">
        <button class="primary">Arm the fault</button>
      </div>
    </form>
  )
}

function KindField({ field, value, set, problem }: KindFieldProps) {
  const { label, type, choices = [] } = field
  const change = (event: { readonly currentTarget: { readonly value: string } }) => set(event.currentTarget.value)
  const isWrong = problem !== undefined
  return (
    <div>
      <label class="field">
        <span>{label}</span>
        {type === 'choice' ? (
          <select value={value} onChange={change} aria-invalid={isWrong}>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        ) : type === 'headers' ? (
          <textarea rows={2} placeholder="Retry-After: 2" value={value} onInput={change} aria-invalid={isWrong} />
        ) : (
          <input type="number" min={0} value={value} onInput={change} aria-invalid={isWrong} />
        )}
      </label>
      <ErrorMessage text={problem} />
    </div>
  )
}

interface KindFieldProps {
  readonly field: FaultField
  readonly value: string
  readonly set: (value: string) => void
  readonly problem: string | undefined
}

/** The values that the fields of a kind begin with. */
function initialOf(kind: string): Form {
  const fields = FAULT_KINDS.find((one) => one.kind === kind)?.fields ?? []
  return { kind, ...Object.fromEntries(fields.map(({ name, initial }) => [name, initial])) }
}
