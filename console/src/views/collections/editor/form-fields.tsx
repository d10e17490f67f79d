import { valueAt, below, isObject } from '../changes.ts'
import type { Edit } from './edit.ts'
import { elementId } from './edit.ts'
import { withoutPlace } from '../../../parts/without-place.ts'
import { FieldRow, nameOf } from './field-row.tsx'
import type { Field } from './schema-form.ts'

interface FieldsProps {
  readonly schema: unknown
  readonly value: unknown
  readonly pointer: string
  readonly edit: Edit
}

/** Forms with fewer fields show all of them at once. */
const FEW = 12

/** The members of an object. Those that are not set are folded where there are many. */
export function Fields({ schema, value, pointer, edit }: FieldsProps) {
  const fields = edit.form.fieldsOf(schema, value, pointer)
  const isShown = (field: Field) =>
    field.isRequired || valueAt(value, field.pointer.slice(pointer.length)) !== undefined || fields.length <= FEW
  const rest = fields.filter((field) => !isShown(field))
  return (
    <div class="fields">
      {fields.filter(isShown).map((field) => (
        <FormField key={field.pointer} field={field} value={held(value, field)} edit={edit} />
      ))}
      {rest.length === 0 ? null : (
        <details class="more-fields">
          <summary>
            {rest.length} {rest.length === 1 ? 'member' : 'members'} that {rest.length === 1 ? 'is' : 'are'} not set
          </summary>
          <div class="fields">
            {rest.map((field) => (
              <FormField key={field.pointer} field={field} value={undefined} edit={edit} />
            ))}
          </div>
        </details>
      )}
    </div>
  )
}

function held(value: unknown, { label }: Field): unknown {
  return isObject(value) && Object.hasOwn(value, label) ? value[label] : undefined
}

/** What is added: a list begins with one element. */
function initialValue(field: Field, { form }: Edit): unknown {
  return field.kind === 'list' ? [form.initialElementOf(field.schema, field.pointer)] : form.initialOf(field)
}

interface FormFieldProps {
  readonly field: Field
  readonly value: unknown
  readonly edit: Edit
  /** For an element of a list. */
  readonly remove?: () => void
}

function FormField({ field, value, edit, remove }: FormFieldProps) {
  const isNested = field.kind === 'object' || field.kind === 'list'
  if (!isNested) return <FieldRow field={field} value={value} edit={edit} remove={remove} />
  const { pointer, label, kind, isRequired, mayBeNull } = field
  const isSet = value !== undefined && value !== null
  const clear =
    remove ??
    (isRequired ? (mayBeNull ? () => edit.set(pointer, null) : undefined) : () => edit.set(pointer, undefined))
  const own = edit.errors.filter((error) => error.pointer === pointer)
  return (
    <fieldset class="nested" id={elementId(pointer)} tabIndex={-1}>
      <legend>
        {label}
        {isRequired ? null : <span class="quiet"> optional</span>}
        {field.isReadOnly ? <span class="tag">read-only</span> : null}
      </legend>
      {isSet ? (
        <>
          {kind === 'object' ? (
            <Fields schema={field.schema} value={value} pointer={pointer} edit={edit} />
          ) : (
            <Elements field={field} value={value as readonly unknown[]} edit={edit} />
          )}
          {clear ? (
            <button
              class="small"
              type="button"
              onClick={clear}
              aria-label={`Remove ${remove ? nameOf(pointer) : ''} ${label}`}
            >
              Remove{remove ? '' : ` ${label}`}
            </button>
          ) : null}
        </>
      ) : (
        <button class="small" type="button" onClick={() => edit.set(pointer, initialValue(field, edit))}>
          Add {label}
        </button>
      )}
      {own.map(({ message }) => (
        <p key={message} class="error">
          {withoutPlace(message, pointer)}
        </p>
      ))}
    </fieldset>
  )
}

function Elements({
  field,
  value,
  edit,
}: {
  readonly field: Field
  readonly value: readonly unknown[]
  readonly edit: Edit
}) {
  const { pointer, schema, label } = field
  return (
    <div class="fields">
      {value.map((one, index) => {
        const at = below(pointer, index)
        return (
          <FormField
            key={`${value.length} ${index}`}
            field={edit.form.elementOf(schema, one, at)}
            value={one}
            edit={edit}
            remove={() => edit.set(at, undefined)}
          />
        )
      })}
      <button
        class="small"
        type="button"
        onClick={() => edit.set(pointer, [...value, edit.form.initialElementOf(schema, pointer)])}
      >
        Add to {label}
      </button>
    </div>
  )
}
