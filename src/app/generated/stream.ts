import type { Lookup } from '../../contract/pointer.ts'
import { isObject } from '../../base/formats/json.ts'
import { wordsOf } from '../../base/formats/names.ts'
import { eventStreamOf } from './content.ts'
import { generateValue, type ValueOptions, type ValueStyle } from '../../values/generate-value.ts'

/** Whether the body asks for the response as a stream of events: `{"stream": true}`, as services that write while one reads have it. */
export function asksForStream(body: unknown): boolean {
  return isObject(body) && body.stream === true
}

/**
 * The schema of the events of a response that is documented as JSON alone: generators write it beside that of the response, as
 * `MessageStreamEvent` beside `Message`.
 */
export function eventSchema(lookup: Lookup, pointer: string): string | undefined {
  const schema = lookup.raw(pointer)
  const place = isObject(schema) && typeof schema.$ref === 'string' ? schema.$ref.slice(1) : undefined
  return ['StreamEvent', 'StreamResponse', 'StreamChunk', 'Chunk']
    .map((end) => `${place ?? ''}${end}`)
    .find((one) => place !== undefined && lookup.at(one) !== undefined)
}

const STYLE: ValueStyle = { examples: true, requiredOnly: false, turn: 0 }

/** More kinds of events are not all sent. */
const MOST_KINDS = 12

/**
 * One event of each kind that a schema of alternatives has, from what starts to what ends, inner ones within outer ones; undefined for
 * another schema. Of many kinds the plainest start, part and end are sent.
 */
export async function eventsOfKinds(values: ValueOptions, pointer: string): Promise<unknown[] | undefined> {
  const held = values.lookup.at(pointer)
  const [keyword, list] = Object.entries(isObject(held) ? held : {}).find(([name]) => /^(any|one)Of$/.test(name)) ?? []
  if (keyword === undefined || !Array.isArray(list)) return undefined
  const all = await Promise.all(
    list.map((_, at) => generateValue(values, `${values.lookup.locate(pointer)}/${keyword}/${at}`, STYLE)),
  )
  const named = all.flatMap((data) =>
    isObject(data) && typeof data.type === 'string' ? [{ event: data.type, data }] : [],
  )
  if (named.length === 0) return undefined
  const of = (phase: RegExp) => named.filter(({ event }) => phase.test(wordsOf(event).at(-1) ?? ''))
  const [starts, ends] = [of(STARTS), of(ENDS)]
  const parts = named.filter((one) => !starts.includes(one) && !ends.includes(one) && !/^(ping|error)$/.test(one.event))
  if (named.length <= MOST_KINDS) return [...starts, ...parts.toReversed(), ...ends.toReversed()]
  const deltas = of(/^delta$/)
  return [starts, deltas.length > 0 ? deltas : parts, ends].flatMap(
    (some) => some.toSorted((one, other) => wordsOf(one.event).length - wordsOf(other.event).length)[0] ?? [],
  )
}

const STARTS = /^(start|started|created|begin|begun|open|opened)$/
const ENDS = /^(stop|stopped|end|ended|done|complete|completed|finish|finished|closed)$/

/** One event would not show whether a client reads a stream. */
const EVENTS = 3

/**
 * The first generated events of a stream, or one of them. Numbers are ids, by which a client goes on after the last one that it has.
 *
 * @param valueOf a list is of all first events
 * @param one the number of the only one, from 1
 */
export async function writeEvents(
  valueOf: (number: number) => Promise<unknown>,
  { one, isNumbered }: { readonly one: number | undefined; readonly isNumbered: boolean },
): Promise<string> {
  const first = await valueOf(one ?? 1)
  const events: unknown[] = Array.isArray(first) ? (one === undefined ? first : first.slice(0, 1)) : [first]
  if (one === undefined && !Array.isArray(first))
    while (events.length < EVENTS) events.push(await valueOf(events.length + 1))
  if (!isNumbered) return eventStreamOf(events)
  const numbered = events.map(
    (event, at) => `id: ${(one ?? 1) + at}\n${eventStreamOf([event]).replace(/^id: .*\n/m, '')}`,
  )
  return numbered.join('')
}
