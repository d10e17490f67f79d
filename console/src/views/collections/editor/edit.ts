import { useState } from 'preact/hooks'
import type { CollectionSchema } from '../../../../../src/control/client/types.ts'
import type { Violation } from '../../../../../src/base/errors/problem.ts'
import { isEqual } from '../changes.ts'
import type { Field, Form } from './schema-form.ts'

/** What the fields of a form share. */
export interface Edit {
  readonly form: Form
  readonly schema: unknown
  readonly isNew: boolean
  /** The document before the changes. */
  original(pointer: string): unknown
  set(pointer: string, value: unknown): void
  /** What the control API refused. */
  readonly errors: readonly Violation[]
  /** Says that what was typed at a place is no value yet; undefined that it is one. */
  setInvalid(pointer: string, message: string | undefined): void
  readonly statuses: CollectionSchema['statuses']
  /** Since when each status holds, by its pointer. */
  readonly since: Readonly<Record<string, unknown>>
  readonly references: CollectionSchema['references']
  /** The member that holds the id. */
  readonly identity: string | null
}

/** The id of the element that edits a place, so that errors lead there. */
export function elementId(pointer: string): string {
  return `field${pointer}`
}

/** Brings a field into view, also where it is folded. */
export function focusField(pointer: string): void {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const element = document.getElementById(elementId(at))
    if (element) {
      for (let outer = element.closest('details'); outer; outer = outer.parentElement?.closest('details') ?? null)
        outer.open = true
      element.focus()
      element.scrollIntoView({ block: 'nearest' })
      return
    }
    if (at === '') return
  }
}

/** What an empty input means: as it was where nothing was there, else nothing, null, or the empty text. */
export function emptied({ pointer, isRequired, mayBeNull }: Field, { original }: Edit): unknown {
  const before = original(pointer)
  if (before === null || (before === undefined && !isRequired)) return before
  if (!isRequired) return undefined
  return mayBeNull ? null : ''
}

/** What a text says; undefined for one that is no value yet. */
type Parse = (text: string) => { readonly value: unknown } | undefined

/** The text of an input: what was typed, until the value becomes another than what was typed says. */
export function useText(value: unknown, format: (value: unknown) => string, parse: Parse) {
  const [text, setText] = useState(() => format(value))
  const said = parse(text)
  const shown = said && !isEqual(said.value, value) ? format(value) : text
  return [shown, setText] as const
}
