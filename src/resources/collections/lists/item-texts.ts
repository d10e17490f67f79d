import { shapeOf } from '../../../contract/schemas/shape.ts'
import type { Steps } from '../../../engine/slices.ts'
import { isObject, stringifyJson, withNumbers } from '../../../formats/json.ts'
import type { Members } from '../../request-body.ts'
import type { Entry } from '../documents/entry.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { ListPlan } from './list-plan.ts'
import { keyOf, wordsOf } from './words.ts'
import { createShownItems } from '../items/shown-items.ts'
import type { Work } from '../operations/work.ts'

/** The items of a list as JSON texts. Documents are immutable, so each text is made once. */
export interface ItemTexts {
  /** @throws Defect for an item that the contract does not allow */
  of(entries: readonly Entry[], options: TextOptions): Steps<readonly string[]>
}

interface TextOptions {
  readonly seed: number
  /** The name of the instance. */
  readonly instance: string
  /** The keys of the members that are shown, besides those that the contract requires; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined
}

/** Items per step. */
const STEP = 64

export function createItemTexts(work: Work, list: () => ListPlan): ItemTexts {
  const { plan, document } = work
  const known = new WeakMap<StoredDocument, { readonly seed: number; readonly text: string }>()
  const { located } = plan.output
  const { required } = shapeOf(document, located?.schema, 'any')
  const shown = createShownItems(work, (item, { seed }) => list().envelope(seed).sample([item]))
  const show = ({ id, document: stored }: Entry, { seed, instance }: TextOptions): Members =>
    shown.of(stored, { document, seed, purpose: `${instance} ${id}`, now: 0 })
  const wholeText = (entry: Entry, options: TextOptions): string => {
    const { seed } = options
    const cached = known.get(entry.document)
    if (cached?.seed === seed) return cached.text
    const text = stringifyJson(show(entry, options))
    known.set(entry.document, { seed, text })
    return text
  }
  const textOf = (entry: Entry, options: TextOptions): string => {
    const { seed, fields } = options
    if (!fields) return wholeText(entry, options)
    const item = selectMembers(show(entry, options), fields, required)
    // Some schemas require members that they do not describe.
    const body = withNumbers(list().envelope(seed).sample([item]))
    return plan.operation.acceptsResponse(plan.output.status, body) ? stringifyJson(item) : wholeText(entry, options)
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
