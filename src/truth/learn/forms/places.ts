import { isDeepStrictEqual } from 'node:util'
import { hasParts } from '../../../app/learned/reshape.ts'
import { valueOf, VIOLATION_PLACES } from '../../../app/learned/fill.ts'
import { PATH_PLACES } from '../../../app/learned/path-words.ts'
import { textOf } from '../../../contract/runtime-expression.ts'
import { encodePointer, isObject } from '../../../base/formats/json.ts'
import type { Observation, RequestPlaces } from './observe.ts'

/**
 * The places of the request, and of the object around it, that have the value that the service shows: `{$request.path.id}`.
 *
 * @param isOfMany whether several operations have the rule, whose paths have other parameters
 */
export function placesOf(observation: Observation, isOfMany: boolean): string[] {
  const { theirs } = observation
  if (theirs === null || theirs === undefined || typeof theirs === 'boolean' || isEmpty(theirs)) return []
  const all = [...(isOfMany ? PATH_PLACES : []), ...requestPlaces(observation.sent), ...itemPlaces(observation)]
  return all.filter((place) => isDeepStrictEqual(valueIn(place, observation), theirs)).map((place) => `{${place}}`)
}

/** The value with the texts of the request in it replaced by their places; undefined where it has none. */
export function templateOf(observation: Observation, isOfMany: boolean): unknown {
  const { theirs, sent } = observation
  const known = (places: Iterable<string>) =>
    [...places].flatMap((place) => {
      const text = textOf(valueIn(place, observation))
      return text === undefined || text === '' ? [] : [{ place, text }]
    })
  const words = known(isOfMany ? PATH_PLACES : [])
  const own = known([...requestPlaces(sent), ...itemPlaces(observation)])
  if (words.length + own.length === 0) return undefined
  const longestFirst = (places: readonly TextPlace[]) => places.toSorted((a, b) => b.text.length - a.text.length)
  const made = replaceIn(theirs, {
    held: [...requestPlaces(sent)]
      .map((place) => ({ place, value: valueIn(place, observation) }))
      .filter(({ place, value }) => hasParts(value) || (place === RECEIVED && value !== null)),
    whole: [...words, ...own],
    // `pool` alone is the name of a type. In a sentence it is a word, which may begin the sentence.
    within: longestFirst([...words.toReversed(), ...own]),
  })
  return isDeepStrictEqual(made, theirs) ? undefined : made
}

/** A number too may be repeated by an error. */
const RECEIVED = '$violation.received'

interface TextPlaces {
  /** For an object or a list that is nothing else: an error may show what was sent. */
  readonly held: readonly { readonly place: string; readonly value: unknown }[]
  /** For a text that is nothing else. */
  readonly whole: readonly TextPlace[]
  /** For a part of a text, the longest first. */
  readonly within: readonly TextPlace[]
}

interface TextPlace {
  readonly place: string
  readonly text: string
}

function replaceIn(value: unknown, places: TextPlaces): unknown {
  if (typeof value === 'string') return replaceInText(value, places)
  const same = places.held.find((one) => isDeepStrictEqual(one.value, value))
  if (same) return `{${same.place}}`
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, places))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      // `{"title": ["This field is required."]}`: another member is called so by chance.
      const isNamed =
        Array.isArray(one) && places.within.find(({ text, place }) => text === name && place === '$violation.member')
      return [isNamed ? `{${isNamed.place}}` : name, replaceIn(one, places)]
    }),
  )
}

const LONGEST = 2000

function replaceInText(text: string, { whole, within }: TextPlaces): string {
  if (text.length > LONGEST || text.includes('{$')) return text
  const same = whole.find((one) => one.text === text)
  if (same) return `{${same.place}}`
  return within.reduce((made, { place, text: word }) => {
    // What is a place already stays.
    const parts = made.split(/(\{\$[^{}]*\})/)
    const edge = edgeOf(place, word)
    return parts
      .map((part) => (part.startsWith('{$') ? part : replaceWord(part, { word, edge }, `{${place}}`)))
      .join('')
  }, text)
}

/** What has to stand around a word. The name of a member may be any word of a sentence, unless it is quoted or in a path; short words may be a part of anything. */
function edgeOf(place: string, word: string): RegExp {
  if (place.startsWith('$violation.')) return /["'`/]/
  return word.length < SHORTEST ? /[\s"'`/=:]/ : /\W/
}

const SHORTEST = 3

/** Where it stands as a word of its own. */
function replaceWord(
  text: string,
  { word, edge }: { readonly word: string; readonly edge: RegExp },
  other: string,
): string {
  const isEdge = (char: string | undefined, next = '') =>
    char === undefined || edge.test(char) || (char === '.' && !/\w/.test(next))
  let made = ''
  let from = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length
    // A pointer begins itself: `/body/name`.
    const isBegun = word.startsWith('/') || isEdge(text[at - 1])
    if (!isBegun || !isEdge(text[end], text[end + 1])) continue
    made += text.slice(from, at) + other
    from = end
  }
  return made + text.slice(from)
}

function valueIn(place: string, { sent, item }: Observation): unknown {
  return valueOf(place, sent.source, { item, pointer: '' })
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function* requestPlaces({ source, pathNames, queryNames }: RequestPlaces): Generator<string> {
  for (const name of pathNames) yield `$request.path.${name}`
  if (source.violation) yield* VIOLATION_PLACES
  for (const name of queryNames) yield `$request.query.${name}`
  yield* bodyPlaces(source.requestBody, '', 3)
}

function* bodyPlaces(value: unknown, at: string, levels: number): Generator<string> {
  if (typeof value === 'object') yield `$request.body${at === '' ? '' : `#${at}`}`
  if (!isObject(value)) return
  for (const [name, one] of Object.entries(value).slice(0, MOST_MEMBERS)) {
    const pointer = `${at}/${encodePointer(name)}`
    if (typeof one !== 'object' && one !== undefined) yield `$request.body#${pointer}`
    else if (levels > 1) yield* bodyPlaces(one, pointer, levels - 1)
  }
}

const MOST_MEMBERS = 50

function* itemPlaces({ item, name }: Observation): Generator<string> {
  if (!isObject(item)) return
  for (const [other, value] of Object.entries(item).slice(0, MOST_MEMBERS))
    if (other !== name && typeof value !== 'object') yield `$item#/${encodePointer(other)}`
}
