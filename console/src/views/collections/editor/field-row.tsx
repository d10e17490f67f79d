import { withoutPlace } from '../../../parts/without-place.ts'
import type { ComponentChildren } from 'preact'
import { textOf } from '../changes.ts'
import { referenceAt } from '../choose-columns.ts'
import { addressOf } from '../address.ts'
import { type Edit, elementId } from './edit.ts'
import { FieldInput } from './field-input.tsx'
import { StatusNote } from './status-note.tsx'
import type { Field } from './schema-form.ts'

interface FieldRowProps {
  readonly field: Field
  readonly value: unknown
  readonly edit: Edit
  /** For an element of a list. */
  readonly remove?: (() => void) | undefined
}

/** A field with its label, what it may be, and what is wrong with it. */
export function FieldRow({ field, value, edit, remove }: FieldRowProps) {
  const { pointer, label, isRequired, isReadOnly, hint, kind } = field
  const wrong = edit.errors.filter((error) =>
    kind === 'json' ? error.pointer?.startsWith(pointer) === true : error.pointer === pointer,
  )
  const id = elementId(pointer)
  const target = referenceAt(pointer, edit.references)
  const isLink = target !== undefined && value !== undefined && value !== null
  return (
    <div class={`form-field ${wrong.length > 0 ? 'form-field-wrong' : ''}`}>
      <div class="form-label">
        <label for={id}>{remove ? `${nameOf(pointer)} ${label}` : label}</label>
        {isRequired && !remove ? <Tag title="Every response of the contract has it">required</Tag> : null}
        {isReadOnly ? <Tag title="Requests to the service cannot set it. You can.">read-only</Tag> : null}
        {hint === undefined ? null : <span class="form-tag">{hint}</span>}
        <span class="form-label-rest" />
        {isLink ? <a href={addressOf(target, textOf(value))}>Open in {target}</a> : null}
        {remove ? (
          <button class="small" type="button" onClick={remove} aria-label={`Remove ${nameOf(pointer)} ${label}`}>
            Remove
          </button>
        ) : null}
      </div>
      <FieldInput id={id} field={field} value={value} edit={edit} isWrong={wrong.length > 0} />
      <StatusNote pointer={pointer} value={value} edit={edit} />
      {wrong.map(({ message }) => (
        <p key={message} class="error" id={`${id}-error`}>
          {withoutPlace(message, pointer)}
        </p>
      ))}
      <Description text={field.description ?? ''} />
    </div>
  )
}

function Tag({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <span class="form-tag" title={title}>
      {children}
    </span>
  )
}

/** The name of the list that an element belongs to. */
export function nameOf(pointer: string): string {
  return pointer.split('/').at(-2) ?? ''
}

const LONG = 140

function Description({ text }: { readonly text: string }) {
  if (text === '') return null
  return (
    <p class="field-hint" title={text.length > LONG ? text : undefined}>
      {text.length > LONG ? `${text.slice(0, LONG)}…` : text}
    </p>
  )
}
