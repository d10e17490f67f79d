import { shapeOf } from '../../../contract/schemas/shape.ts'
import { createOwnedCache } from '../../../base/cache.ts'
import type { Steps } from '../../../engine/slices.ts'
import { isObject, type Members, stringifyJson, withNumbers } from '../../../base/formats/json.ts'
import type { StoredDocument, Entry } from '../documents/stored-document.ts'
import { type Call, whenReady } from '../../handler.ts'
import type { State } from '../../../engine/state.ts'
import { isDerivedNow } from '../items/derived-members.ts'
import type { ListQuery } from './read-list-query.ts'
import type { ListPlan } from './list-plan.ts'
import { keyOf } from '../../../base/formats/plurals.ts'
import { createShowRelated, type WantedMember, wantedOf } from '../related/show-related.ts'
import type { Showing } from '../items/show.ts'
import { createShownItems } from '../items/view.ts'
import type { OperationWork } from '../operations/work.ts'
import { wordsOf } from '../../../base/formats/names.ts'

/** The items of a list as JSON texts. Documents are immutable, so each text is made once. */
export interface ItemTexts {
  /**
   * The text of a page.
   *
   * @param envelope what stands before the items, and after them
   * @throws Defect for an item that the contract does not allow
   */
  page(entries: readonly Entry[], envelope: readonly [string, string], options: ItemTextOptions): Steps<string>
}

interface ItemTextOptions {
  readonly seed: number
  /** The name of the instance. */
  readonly instance: string
  /** The keys of the members that are shown, besides those that the contract requires; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined
  /** An item with what others tell of it; undefined where no member is such. @throws NotReady */
  readonly derive: ((entry: Entry) => StoredDocument) | undefined
  /** The members that show the items that they name. */
  readonly wanted: readonly WantedMember[]
}

/** How items are shown to a request. */
export function textOptions(
  work: OperationWork,
  { fields, related }: Pick<ListQuery, 'fields' | 'related'>,
  { state, call, name: instance }: { readonly state: State; readonly call: Call; readonly name: string },
): ItemTextOptions {
  return {
    seed: state.seed,
    instance,
    fields,
    wanted: wantedOf(state, related),
    derive: isDerivedNow(work, call)
      ? ({ id, document }) => work.derived.of(state, { instance, id, stored: document })
      : undefined,
  }
}

/** Items per step. */
const STEP = 64

/** Pages of unchanged lists, which many requests ask for. Characters, of all collections together. */
const recent = createOwnedCache<string, string>({ most: 2 ** 23, sizeOf: ({ length }) => length + 256 })

export function createItemTexts(work: OperationWork, list: () => ListPlan): ItemTexts {
  const { plan, document } = work
  const known = new WeakMap<StoredDocument, { readonly seed: number; readonly text: string }>()
  const { located } = plan.output
  const { required } = shapeOf(document, located?.schema, 'any')
  const shown = createShownItems(work, (item, { seed }) => list().envelope(seed).sample([item]))
  const showRelated = createShowRelated(work)
  const showingOf = ({ id }: Entry, { seed, instance }: ItemTextOptions): Showing => ({
    document,
    seed,
    purpose: `${instance} ${id}`,
    now: 0,
  })
  const isAllowed = (item: Members, { seed }: ItemTextOptions): boolean =>
    plan.operation.acceptsResponse(plan.output.status, withNumbers(list().envelope(seed).sample([item])))
  const wholeText = (entry: Entry, options: ItemTextOptions): string => {
    const { seed } = options
    const cached = known.get(entry.document)
    if (cached?.seed === seed) return cached.text
    const text = stringifyJson(shown.of(entry.document, showingOf(entry, options)))
    known.set(entry.document, { seed, text })
    return text
  }
  const textOf = (entry: Entry, options: ItemTextOptions): string => {
    const { fields, wanted } = options
    if (!fields && wanted.length === 0) return wholeText(entry, options)
    const showing = showingOf(entry, options)
    const allows = (item: Members) => isAllowed(item, options)
    const whole = showRelated(shown.of(entry.document, showing), { wanted, showing, allows })
    if (!fields) return stringifyJson(whole)
    const item = selectMembers(whole, fields, required)
    // Some schemas require members that they do not describe.
    return stringifyJson(allows(item) ? item : whole)
  }
  return {
    *page(entries, [before, after], options) {
      const { seed, fields, wanted, derive } = options
      const key =
        fields || derive || wanted.length > 0 ? undefined : `${plan.operation.pointer} ${seed} ${before} ${after}`
      const known = key === undefined ? undefined : recent.get(entries, key)
      if (known !== undefined) return known
      const texts: string[] = []
      for (const entry of entries) {
        const shown = derive ? { ...entry, document: yield* whenReady(() => derive(entry)) } : entry
        const text = textOf(shown, options)
        if (texts.push(located?.isMap ? `${stringifyJson(entry.id)}:${text}` : text) % STEP === 0) yield
      }
      const text = before + texts.join(',') + after
      if (key !== undefined) recent.set(entries, key, text)
      return text
    },
  }
}

/** The members that were asked for, and those that the contract requires; of JSON:API, the same of the attributes. */
export function selectMembers(value: Members, fields: ReadonlySet<string>, required: ReadonlySet<string>): Members {
  const isShown = (name: string) => required.has(name) || fields.has(keyOf(wordsOf(name)))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      if (name === 'attributes' && isObject(inner)) return [[name, selectMembers(inner, fields, new Set())]]
      return isShown(name) ? [[name, inner]] : []
    }),
  )
}
