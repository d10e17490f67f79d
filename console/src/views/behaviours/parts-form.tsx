import { useState } from 'preact/hooks'

/** The parts of a setting, each with its own options: numbers, words, lists of words. */
export interface PartOptions {
  readonly choice?: readonly string[]
  readonly list?: { readonly of: readonly string[] }
  readonly number?: { readonly min: number; readonly max: number }
}

interface PartsFormProps {
  readonly setting: Readonly<Record<string, unknown>>
  readonly parts: Readonly<Record<string, PartOptions>>
  readonly apply: (value: unknown) => void
}

/** A field for each part of a setting. */
export function PartsForm({ setting, parts, apply }: PartsFormProps) {
  const [values, setValues] = useState(setting)
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        apply(values)
      }}
    >
      {Object.entries(parts).map(([name, options]) => (
        <Part
          key={name}
          name={name}
          options={options}
          value={values[name]}
          set={(value) => setValues((held) => ({ ...held, [name]: value }))}
        />
      ))}
      <div class="buttons">
        <button class="primary">Apply</button>
      </div>
    </form>
  )
}

interface PartProps {
  readonly name: string
  readonly options: PartOptions
  readonly value: unknown
  readonly set: (value: unknown) => void
}

function Part({ name, options: { choice, list, number }, value, set }: PartProps) {
  if (list) return <ListPart name={name} of={list.of} value={Array.isArray(value) ? value : []} set={set} />
  return (
    <label class="field">
      <span>
        {name}
        {number ? `, from ${number.min.toLocaleString()} to ${number.max.toLocaleString()}` : ''}
      </span>
      {choice ? (
        <select value={String(value)} onChange={(event) => set(event.currentTarget.value)}>
          {choice.map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      ) : number ? (
        <input type="number" value={String(value)} onInput={(event) => set(Number(event.currentTarget.value))} />
      ) : (
        <input value={String(value)} onInput={(event) => set(event.currentTarget.value)} />
      )}
    </label>
  )
}

interface ListPartProps {
  readonly name: string
  readonly of: readonly string[]
  readonly value: readonly unknown[]
  readonly set: (value: readonly string[]) => void
}

/** A box for each word of a list. */
export function ListPart({ name, of, value, set }: ListPartProps) {
  return (
    <fieldset class="radios">
      <legend>{name}</legend>
      {of.map((word) => (
        <label key={word}>
          <input
            type="checkbox"
            checked={value.includes(word)}
            onChange={(event) =>
              set(of.filter((one) => (one === word ? event.currentTarget.checked : value.includes(one))))
            }
          />
          <code>{word}</code>
        </label>
      ))}
    </fieldset>
  )
}
