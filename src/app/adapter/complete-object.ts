import { fillSchema, type ValueSource } from './fill-schema.ts'
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
interface Completion extends Known {
  /** The key of all random values: the seed and the identity of the object. */
  readonly key: number
  /** Violations of the contract in an earlier attempt. */
  readonly refused?: readonly Violation[] | undefined
  /** Members that mean the same in every contract and stay whatever its schema says. */
  readonly meant?: ReadonlySet<string> | undefined
}

/** Adds to the usual object what a schema requires beyond it, and removes what the schema forbids. */
export function completeObject(document: unknown, schema: unknown, usual: Members, completion: Completion): Members {
  const { whenNamed, whenRequired } = completion
  const complete = (schema: unknown, usual: Members, named: Members, required: Members, at: string): Members => {
    const shape = shapeOf(document, schema)
    const fitting = (name: string, value: unknown): unknown => {
      const pointer = `${at}/${encodePointer(name)}`
      const member = shape.properties.get(name)
      const inner = shapeOf(document, member)
      if (isObject(value) && (inner.properties.size > 0 || inner.isClosed))
        return complete(member, value, membersOf(named[name]), membersOf(required[name]), pointer)
      return isRefused(pointer, completion) ? converted(value, inner, pointer, completion) : value
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
      else if (isRequired)
        made.set(name, fillSchema(document, member, defaultSource(completion, `${at}/${encodePointer(name)}`)))
    }
    return Object.fromEntries(made)
  }
  return complete(schema, usual, whenNamed, whenRequired, '')
}

/**
 * Completes an object, and a second time without the invalid members if the first is invalid: a member may mean something else in
 * the contract than the value known by its name.
 */
export function withoutRefused(
  complete: (refused?: readonly Violation[]) => Members,
  check: (made: Members) => readonly Violation[],
): Members {
  const made = complete()
  const refused = check(made)
  return refused.length === 0 ? made : complete(refused)
}

function isRefused(pointer: string, { refused = [] }: Completion): boolean {
  return refused.some(({ pointer: place = '' }) => place === pointer || place.startsWith(`${pointer}/`))
}

/** A number as a string if the contract wants one, as for ids; else nothing, unless the member means the same in every contract. */
function converted(value: unknown, shape: Shape, pointer: string, { meant }: Completion): unknown {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && allows(shape, 'string') && !allows(shape, 'integer')) return String(value)
  return meant?.has(pointer.split('/')[1] ?? '') ? value : undefined
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {}
}

/** Makes required values that are not known from their names and schemas. */
function defaultSource({ key, written }: Completion, at: string): ValueSource {
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

interface DefaultOptions {
  /** The key of the random values, besides the pointer of the value. */
  readonly key: number
  /** Epoch ms. */
  readonly now: number
}

/** A believable string, number or boolean for a required value that is not known. Dates are not invented: the known one is used. */
export function defaultValues(
  { pointer, name }: { readonly pointer: string; readonly name: string },
  { types, keywords }: Shape,
  { key, now }: DefaultOptions,
): unknown {
  const hint = { name, owner: '', schema: keywords, seed: chanceKey(key, pointer), now }
  if (types.has('boolean')) return believableBoolean(hint)
  if (types.has('integer') || types.has('number')) return believableNumber(hint, types.has('integer'))
  return DATES.has(keywords.format) ? undefined : believableText(hint)
}

const DATES = new Set<unknown>(['date-time', 'date', 'time'])

/**
 * Adds to pages what the user's contract requires besides `files` and `pageContext.next`; undefined if it requires nothing else.
 *
 * @param schema of the response of a search
 * @param key the key of the random values
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
        return completeObject(document, inner, members, { ...known, whenRequired: steeringMembers(members, context) })
      },
    }
  }
}

const USUAL = new Set(['files', 'pageContext'])

/** Members of a page context that steer a client, so that random values would mislead it. */
function steeringMembers({ next }: Readonly<Record<string, unknown>>, { properties }: Shape): Record<string, unknown> {
  const hasMore = next !== undefined && next !== null && next !== ''
  const nextShape = shapeOf(undefined, properties.get('next'))
  const made: Record<string, unknown> = { next: allows(nextShape, 'null') ? null : '' }
  for (const name of properties.keys()) {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
    if (/^(has)?(more|next|nextpage)$/.test(plain) && name !== 'next') made[name] = hasMore
    else if (/^(is)?last(page)?$/.test(plain)) made[name] = !hasMore
  }
  return made
}
