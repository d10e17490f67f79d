import { shapeOf } from '../../../contract/schemas/shape.ts'
import type { Steps } from '../../../engine/slices.ts'
import { Defect, type Violation } from '../../../errors/problem.ts'
import { isObject, stringifyJson, withNumbers } from '../../../formats/json.ts'
import type { Members } from '../../request-body.ts'
import type { Entry } from '../documents/entry.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { Envelope } from './envelope.ts'
import type { ListPlan } from './list-plan.ts'
import { keyOf, wordsOf } from './words.ts'
import { showItem } from '../operations/show.ts'
import type { Work } from '../operations/work.ts'

/** The JSON texts of the items of a list. Each is made once for a document, which is never changed. */
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

/** Items that are made between two steps. */
const STEP = 64

export function createItemTexts({ plan, document }: Work, list: () => ListPlan): ItemTexts {
  const known = new WeakMap<StoredDocument, { readonly seed: number; readonly text: string }>()
  const { located } = plan.output
  const schema = located?.schema
  const show = ({ id, document: { value } }: Entry, { seed, instance }: TextOptions): Members =>
    showItem(schema, value, { document, seed, purpose: `${instance} ${id}`, now: 0 })
  const { required } = shapeOf(document, schema, 'any')
  const wholeText = (entry: Entry, options: TextOptions): string => {
    const { seed } = options
    const cached = known.get(entry.document)
    if (cached?.seed === seed) return cached.text
    const item = show(entry, options)
    const [first, ...others] = violationsOf(plan, list().envelope(seed), item)
    if (first) throw broken(plan, [first, ...others])
    const text = stringifyJson(item)
    known.set(entry.document, { seed, text })
    return text
  }
  const textOf = (entry: Entry, options: TextOptions): string => {
    const { seed, fields } = options
    if (!fields) return wholeText(entry, options)
    const item = selectMembers(show(entry, options), fields, required)
    // Some schemas require more than they name.
    return violationsOf(plan, list().envelope(seed), item).length === 0
      ? stringifyJson(item)
      : wholeText(entry, options)
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

/** The violations of the contract in a page with this item alone. */
function violationsOf({ operation, output: { status, located } }: Work['plan'], envelope: Envelope, item: Members) {
  const body = withNumbers(envelope.sample([item]))
  if (operation.acceptsResponse(status, body)) return []
  // A list may have to have more than one item.
  return operation.checkResponse(status, body).filter(({ pointer }) => pointer !== located?.pointer)
}

function broken(
  { operation, output: { status } }: Work['plan'],
  violations: readonly [Violation, ...Violation[]],
): Defect {
  const what = `The response ${status} of ${operation.operationId} breaks the contract: ${violations[0].message}`
  return new Defect(what, { violations })
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
