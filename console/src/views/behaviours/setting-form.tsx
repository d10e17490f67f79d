import { useState } from 'preact/hooks'
import type { BehaviourRecord } from '../../../../src/control/client/types.ts'
import { ListPart, type PartOptions, PartsForm } from './parts-form.tsx'

interface SettingFormProps {
  readonly behaviour: BehaviourRecord
  /** @returns whether it was accepted */
  readonly apply: (value: unknown) => Promise<boolean>
}

/** Chooses a setting: one of some words, a number, or a value as JSON. */
export function SettingForm({ behaviour: { id, setting, options }, apply }: SettingFormProps) {
  const [chosen, setChosen] = useState(setting)
  // A choice is shown at once, and taken back if it is refused.
  const choose = (value: unknown) => {
    setChosen(value)
    void apply(value).then((isAccepted) => isAccepted || setChosen(setting))
  }
  if (options === undefined) return <p class="quiet">There is no other setting.</p>
  const { list } = options as PartOptions
  if (list) return <ListPart name={id} of={list.of} value={Array.isArray(chosen) ? chosen : []} set={choose} />
  const choices = wordsOf(options)
  if (choices) {
    return (
      <fieldset class="radios">
        <legend class="visually-hidden">Setting of {id}</legend>
        {choices.map((choice) => (
          <label key={choice}>
            <input type="radio" name={id} checked={chosen === choice} onChange={() => choose(choice)} />
            <code>{choice}</code>
          </label>
        ))}
      </fieldset>
    )
  }
  const parts = partsOf(options)
  if (parts && typeof setting === 'object' && setting !== null)
    return (
      <PartsForm
        setting={setting as Readonly<Record<string, unknown>>}
        parts={parts}
        apply={(value) => void apply(value)}
      />
    )
  return <ValueForm setting={setting} options={options} apply={apply} />
}

function ValueForm({
  setting,
  options,
  apply,
}: Omit<SettingFormProps, 'behaviour'> & { setting: unknown; options: unknown }) {
  const [text, setText] = useState(typeof setting === 'string' ? setting : JSON.stringify(setting))
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        void apply(valueOf(text))
      }}
    >
      <label class="field">
        <span>One of: {describe(options)}</span>
        <input value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button class="primary">Apply</button>
    </form>
  )
}

/** The options of each part, where a setting has parts or is a list; undefined for other options, and for parts within parts. */
function partsOf(options: unknown): Readonly<Record<string, PartOptions>> | undefined {
  const { parts, numbers } = options as {
    readonly parts?: Readonly<Record<string, PartOptions>>
    readonly numbers?: Readonly<Record<string, { readonly min: number; readonly max: number }>>
  }
  if (numbers) return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, { number }]))
  const isKnown = ({ choice, list, number }: PartOptions) => list ?? number ?? choice
  return parts && Object.values(parts).every(isKnown) ? parts : undefined
}

/** The words of a choice without placeholders; undefined for other options. */
export function wordsOf(options: unknown): readonly string[] | undefined {
  const { choice, orObjectWith } = options as { readonly choice?: readonly string[]; readonly orObjectWith?: string }
  return orObjectWith !== undefined ||
    choice?.some((word) => /(?:^|[^A-Za-z])[NKSP](?:$|[^A-Za-z])/.test(word)) === true
    ? undefined
    : choice
}

/** Options in words: `N` stands for a number, `P` for a time. */
function describe(options: unknown): string {
  const { choice, orObjectWith, number } = options as {
    readonly choice?: readonly string[]
    readonly orObjectWith?: string
    readonly number?: { readonly min: number; readonly max: number }
  }
  if (number) return `a number from ${number.min} to ${number.max}`
  if (!choice) return JSON.stringify(options)
  const object = orObjectWith === undefined ? '' : `, or {"${orObjectWith}": …}`
  return `${choice.join(', ')}${object}`
}

/** What was typed: JSON where it is, else the text. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
