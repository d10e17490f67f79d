import { useMemo, useState } from 'preact/hooks'
import type { CollectionSchema } from '../../../../../src/control/client/types.ts'
import { ControlError } from '../../../../../src/control/client/client.ts'
import type { Violation } from '../../../../../src/base/errors/problem.ts'
import { messageOf } from '../../../session.ts'
import { valueAt, withValueAt } from '../changes.ts'
import { type Edit, focusField } from './edit.ts'
import { Fields } from './form-fields.tsx'
import { JsonEditor } from './json-editor.tsx'
import { createForm } from './schema-form.ts'
import type { Members } from './use-draft.ts'

interface DocumentEditorProps {
  readonly schema: CollectionSchema
  readonly draft: Members
  readonly base: Members
  readonly isNew: boolean
  readonly identity: string | null
  readonly since?: Readonly<Record<string, unknown>>
  /** Why the last save was refused. */
  readonly refusal: unknown
  readonly set: (draft: Members) => void
  /** Undefined where what was typed is no document yet. */
  readonly save: () => void
  readonly children: (state: { readonly isValid: boolean }) => preact.ComponentChildren
}

/** A document as a form and as JSON. */
export function DocumentEditor(props: DocumentEditorProps) {
  const { schema, draft, base, isNew, identity, since = {}, refusal, set, save, children } = props
  const [isJson, setJson] = useState(false)
  const [invalid, setInvalid] = useState<Readonly<Record<string, string>>>({})
  const form = useMemo(() => createForm(schema.schema), [schema])
  const errors: readonly Violation[] = refusal instanceof ControlError ? refusal.errors : []
  const mark = (pointer: string, message: string | undefined) =>
    setInvalid(({ [pointer]: _old, ...others }) => (message === undefined ? others : { ...others, [pointer]: message }))
  const edit: Edit = {
    ...{ form, isNew, errors, identity, since, schema: schema.schema },
    ...{ statuses: schema.statuses, references: schema.references },
    original: (pointer) => valueAt(base, pointer),
    set: (pointer, value) => set(withValueAt(draft, pointer, value) as Members),
    setInvalid: mark,
  }
  const isValid = Object.keys(invalid).length === 0
  return (
    <form
      class="document-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid) save()
      }}
    >
      <div class="choices" role="group" aria-label="Edit as">
        <button type="button" aria-pressed={!isJson} disabled={isJson && !isValid} onClick={() => setJson(false)}>
          Form
        </button>
        <button type="button" aria-pressed={isJson} disabled={!isJson && !isValid} onClick={() => setJson(true)}>
          JSON
        </button>
      </div>
      {refusal === undefined ? null : <Refusal refusal={refusal} errors={errors} isJson={isJson} />}
      {isJson ? (
        <JsonEditor value={draft} errors={errors} set={set} setInvalid={mark} />
      ) : (
        <Fields schema={schema.schema} value={draft} pointer="" edit={edit} />
      )}
      {schema.isShortened ? (
        <p class="quiet">The schema is too large to show whole. Some members are edited as JSON.</p>
      ) : null}
      <div class="document-buttons">{children({ isValid })}</div>
    </form>
  )
}

interface RefusalProps {
  readonly refusal: unknown
  readonly errors: readonly Violation[]
  readonly isJson: boolean
}

function Refusal({ refusal, errors, isJson }: RefusalProps) {
  return (
    <div class="callout callout-bad" role="alert">
      <strong>It was not saved.</strong>
      {errors.length === 0 ? <p>{messageOf(refusal)}</p> : null}
      {errors.length === 0 || isJson ? null : (
        <ul>
          {errors.map(({ pointer = '', message }) => (
            <li key={message}>
              <button class="link" type="button" onClick={() => focusField(pointer)}>
                {message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
