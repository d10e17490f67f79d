import { fill, type Words } from './fill-schema.ts'
import { allows, type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import { encodePointer, isObject } from '../../formats/json.ts'
import type { Known } from '../../resources/adaptation.ts'
import type { Violation } from '../../errors/problem.ts'
import { believableBoolean, believableNumber } from '../../values/believable-number.ts'
import { believableText } from '../../values/believable-text.ts'
import { chanceKey } from '../../engine/random.ts'
import type { Page } from '../../resources/handler.ts'

type Members = Readonly<Record<string, unknown>>

/** What an object is completed with. */
interface Completing extends Known {
  /** What all chance hangs on: the seed, and what the object is. */
  readonly key: number
  /** What is there and must not be, for the contract refuses it. */
  readonly refused?: readonly Violation[] | undefined
  /** The members that mean the same in every contract, and stay whatever it says of them. */
  readonly meant?: ReadonlySet<string> | undefined
}

/** A usual object with what a schema names beyond it and requires, and without what it shuts out. */
export function completeObject(document: unknown, schema: unknown, usual: Members, completing: Completing): Members {
  const { whenNamed, whenRequired } = completing
  const complete = (schema: unknown, usual: Members, named: Members, required: Members, at: string): Members => {
    const shape = shapeOf(document, schema)
    const fitting = (name: string, value: unknown): unknown => {
      const pointer = `${at}/${encodePointer(name)}`
      const member = shape.properties.get(name)
      const inner = shapeOf(document, member)
      if (isObject(value) && (inner.properties.size > 0 || inner.isClosed))
        return complete(member, value, membersOf(named[name]), membersOf(required[name]), pointer)
      return isRefused(pointer, completing) ? mended(value, inner, pointer, completing) : value
    }
    const made = new Map<string, unknown>()
    for (const [name, value] of Object.entries(usual)) {
      const held = shape.properties.has(name) || !shape.isClosed ? fitting(name, value) : undefined
      if (held !== undefined) made.set(name, held)
    }
    for (const [name, member] of shape.properties) {
      if (made.has(name)) continue
      const isRequired = shape.required.has(name)
      const known = fitting(name, named[name] === undefined && isRequired ? required[name] : named[name])
      if (known !== undefined) made.set(name, known)
      else if (isRequired) made.set(name, fill(document, member, wordless(completing, `${at}/${encodePointer(name)}`)))
    }
    return Object.fromEntries(made)
  }
  return complete(schema, usual, whenNamed, whenRequired, '')
}

/**
 * An object without what the contract refuses in it: what we know by a name need not be what the contract means by it. It is made
 * a second time where the first is refused.
 *
 * @param check holds the object against the contract
 */
export function withoutRefused(
  complete: (refused?: readonly Violation[]) => Members,
  check: (made: Members) => readonly Violation[],
): Members {
  const made = complete()
  const refused = check(made)
  return refused.length === 0 ? made : complete(refused)
}

function isRefused(pointer: string, { refused = [] }: Completing): boolean {
  return refused.some(({ pointer: place = '' }) => place === pointer || place.startsWith(`${pointer}/`))
}

/** A number where the contract has it as a text, such as an id; else nothing, unless all contracts mean it so. */
function mended(value: unknown, shape: Shape, pointer: string, { meant }: Completing): unknown {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && allows(shape, 'string') && !allows(shape, 'integer')) return String(value)
  return meant?.has(pointer.split('/')[1] ?? '') ? value : undefined
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {}
}

/** What is required and that nobody told has its name and its schema to go by. */
function wordless({ key, written }: Completing, at: string): Words {
  return {
    member: () => undefined,
    elements: () => undefined,
    isSame: () => false,
    now: written,
    uuid: '',
    invent: ({ pointer, name }, shape) =>
      defaultValues({ pointer: `${at}${pointer}`, name: name || nameAt(at) }, shape, { key, now: written }),
  }
}

function nameAt(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

interface Inventing {
  /** What all chance hangs on, besides the place of the value. */
  readonly key: number
  /** Epoch ms. */
  readonly now: number
}

/**
 * A believable text, number or truth for what a contract requires and nobody told. Dates are not invented: of those the one that
 * is known is said.
 *
 * @param site of the value in what is made
 */
export function defaultValues(
  { pointer, name }: { readonly pointer: string; readonly name: string },
  { types, keywords }: Shape,
  { key, now }: Inventing,
): unknown {
  const hint = { name, owner: '', schema: keywords, seed: chanceKey(key, pointer), now }
  if (types.has('boolean')) return believableBoolean(hint)
  if (types.has('integer') || types.has('number')) return believableNumber(hint, types.has('integer'))
  return TOLD.has(keywords.format) ? undefined : believableText(hint)
}

const TOLD = new Set<unknown>(['date-time', 'date', 'time'])

/**
 * Gives pages what a contract of the user's own requires of them beside `files` and `pageContext.next`; undefined where it
 * requires no more.
 *
 * @param schema of the answer of a search
 * @param key what the chance of made values hangs on
 */
export function createPageCompleter(
  document: unknown,
  schema: unknown,
  key: number,
): ((page: Page, now: number) => Page) | undefined {
  const whole = shapeOf(document, schema)
  const inner = whole.properties.get('pageContext')
  const context = shapeOf(document, inner)
  const added = [...whole.required].filter((name) => !USUAL.has(name))
  if (added.length === 0 && context.required.size === 0) return undefined
  return (page, now) => {
    const known = { whenNamed: {}, whenRequired: {}, written: now, key }
    const made = completeObject(document, schema, { files: [], pageContext: {} }, known)
    return {
      ...page,
      added: Object.fromEntries(Object.entries(made).filter(([name]) => !USUAL.has(name))),
      context() {
        const usual = page.context()
        const members = isObject(usual) ? usual : {}
        return completeObject(document, inner, members, { ...known, whenRequired: wordsOf(members, context) })
      },
    }
  }
}

const USUAL = new Set(['files', 'pageContext'])

/** What a page context may have to say of the walk: a made-up word would send a client on, or stop it. */
function wordsOf({ next }: Readonly<Record<string, unknown>>, { properties }: Shape): Record<string, unknown> {
  const hasMore = next !== undefined && next !== null && next !== ''
  const nextShape = shapeOf(undefined, properties.get('next'))
  const words: Record<string, unknown> = { next: allows(nextShape, 'null') ? null : '' }
  for (const name of properties.keys()) {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
    if (/^(has)?(more|next|nextpage)$/.test(plain) && name !== 'next') words[name] = hasMore
    else if (/^(is)?last(page)?$/.test(plain)) words[name] = !hasMore
  }
  return words
}
