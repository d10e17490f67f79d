import { parseJson } from '../../../../../src/base/formats/json.ts'
import { pretty, textOf } from '../changes.ts'
import { type Edit, emptied, useText } from './edit.ts'
import type { Field } from './schema-form.ts'

interface InputProps {
  readonly id: string
  readonly field: Field
  readonly value: unknown
  readonly edit: Edit
  readonly isWrong: boolean
}

/** The input for one value. */
export function FieldInput(props: InputProps) {
  switch (props.field.kind) {
    case 'choice':
      return <ChoiceInput {...props} />
    case 'number':
      return <NumberInput {...props} />
    case 'text':
    case 'date':
      return <TextInput {...props} />
    default:
      return <JsonInput {...props} />
  }
}

/** What stands in an empty input. */
function placeholderOf(value: unknown, { isRequired, pointer }: Field, { isNew }: Edit): string {
  if (value === null) return 'null'
  // Nothing is filled in for elements of lists.
  const isFilled = isNew && isRequired && !/\/\d+\//.test(pointer)
  return value !== undefined ? '' : isFilled ? 'filled in' : 'not set'
}

function attributesOf({ id, field, value, edit, isWrong }: InputProps) {
  const isIdentity = field.pointer === edit.identity && !edit.isNew
  return {
    id,
    placeholder: placeholderOf(value, field, edit),
    'aria-invalid': isWrong,
    ...(isWrong ? { 'aria-describedby': `${id}-error` } : {}),
    // Another id is another document.
    readOnly: isIdentity,
  }
}

function TextInput(props: InputProps) {
  const { field, value, edit } = props
  const text = textOf(value)
  const set = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
    edit.set(field.pointer, currentTarget.value === '' ? emptied(field, edit) : currentTarget.value)
  if (text.length > 80 || text.includes('\n'))
    return <textarea {...attributesOf(props)} rows={4} value={text} onInput={set} />
  const isDate = field.kind === 'date' && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text))
  return <input {...attributesOf(props)} type={isDate ? 'date' : 'text'} value={text} onInput={set} />
}

/** A number as it was typed: one that is none stays a text, which the control API refuses with the reason. */
function NumberInput(props: InputProps) {
  const { field, value, edit } = props
  const parse = (text: string) => ({ value: text.trim() === '' ? emptied(field, edit) : numberOf(text.trim()) })
  const [text, setText] = useText(value, textOf, parse)
  return (
    <input
      {...attributesOf(props)}
      inputMode="decimal"
      value={text}
      onInput={({ currentTarget }) => {
        setText(currentTarget.value)
        edit.set(field.pointer, parse(currentTarget.value).value)
      }}
    />
  )
}

function numberOf(text: string): unknown {
  if (!/^-?\d+(?:\.\d*)?(?:e[-+]?\d+)?$/i.test(text)) return text
  const number = Number(text)
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number
}

function ChoiceInput({ id, field, value, edit, isWrong }: InputProps) {
  const { choices, isRequired, mayBeNull, pointer } = field
  const options: unknown[] = [...choices]
  if (mayBeNull || value === null) options.push(null)
  if (!isRequired || value === undefined) options.push(undefined)
  if (!options.includes(value)) options.push(value)
  return (
    <select
      id={id}
      aria-invalid={isWrong}
      {...(isWrong ? { 'aria-describedby': `${id}-error` } : {})}
      value={String(options.indexOf(value))}
      onChange={({ currentTarget }) => edit.set(pointer, options[Number(currentTarget.value)])}
    >
      {options.map((option, index) => (
        <option key={index} value={String(index)}>
          {option === undefined || option === null ? placeholderOf(option, field, edit) : textOf(option)}
        </option>
      ))}
    </select>
  )
}

/** A value that no other input says. What was typed stays, also while it is no JSON. */
function JsonInput(props: InputProps) {
  const { field, value, edit } = props
  const parse = (text: string) => readJson(text, field, edit)
  const [text, setText] = useText(value, pretty, parse)
  const rows = Math.min(12, Math.max(1, text.split('\n').length))
  return (
    <>
      <textarea
        {...attributesOf(props)}
        class="code"
        rows={rows}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          const said = parse(currentTarget.value)
          edit.setInvalid(field.pointer, said ? undefined : `${field.label} is not JSON yet`)
          if (said) edit.set(field.pointer, said.value)
        }}
      />
      {parse(text) ? null : <p class="error">This is not JSON yet. Texts stand in quotes: "like this".</p>}
    </>
  )
}

function readJson(text: string, field: Field, edit: Edit): { readonly value: unknown } | undefined {
  if (text.trim() === '') return { value: emptied({ ...field, mayBeNull: true }, edit) }
  try {
    return { value: parseJson(text) }
  } catch {
    return undefined
  }
}
