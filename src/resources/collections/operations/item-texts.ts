import { shapeOf } from '../../../contract/schemas/shape.ts'
import type { Steps } from '../../../engine/slices.ts'
import { isObject, stringifyJson } from '../../../formats/json.ts'
import type { Members } from '../../request-body.ts'
import type { Entry } from '../documents/entry.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { keyOf, wordsOf } from '../lists/words.ts'
import { showItem } from './show.ts'
import type { Work } from './write.ts'

/** The JSON texts of the items of a list. Each is made once for a document, which is never changed. */
export interface ItemTexts {
  of(entries: readonly Entry[], options: TextOptions): Steps<readonly string[]>
}

interface TextOptions {
  readonly seed: number
  /** The name of the instance. */
  readonly instance: string
  /** The keys of the members that are shown, besides those that the contract requires; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined
}

/** Items that are made between two steps. */
const STEP = 64

export function createItemTexts({ plan, document }: Work): ItemTexts {
  const known = new WeakMap<StoredDocument, { readonly seed: number; readonly text: string }>()
  const { located } = plan.output
  const schema = located?.schema
  const show = ({ id, document: { value } }: Entry, { seed, instance }: TextOptions): Members =>
    showItem(schema, value, { document, seed, purpose: `${instance} ${id}`, now: 0 })
  const { required } = shapeOf(document, schema, 'any')
  const textOf = (entry: Entry, options: TextOptions): string => {
    const { seed, fields } = options
    if (fields) return stringifyJson(selectMembers(show(entry, options), fields, required))
    const cached = known.get(entry.document)
    if (cached?.seed === seed) return cached.text
    const text = stringifyJson(show(entry, options))
    known.set(entry.document, { seed, text })
    return text
  }
  return {
    *of(entries, options) {
      const texts: string[] = []
      for (const entry of entries) {
        if (texts.push(textOf(entry, options)) % STEP === 0) yield
      }
      return texts
    },
  }
}

/** The members that were asked for, and those that the contract requires; of JSON:API, the same of the attributes. */
function selectMembers(value: Members, fields: ReadonlySet<string>, required: ReadonlySet<string>): Members {
  const isShown = (name: string) => required.has(name) || fields.has(keyOf(wordsOf(name)))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      if (name === 'attributes' && isObject(inner)) return [[name, selectMembers(inner, fields, new Set())]]
      return isShown(name) ? [[name, inner]] : []
    }),
  )
}
