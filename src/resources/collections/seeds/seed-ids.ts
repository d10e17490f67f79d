import { shapeOf } from '../../../contract/schemas/shape.ts'
import { chanceKey } from '../../../engine/random.ts'
import type { Steps } from '../../../engine/slices.ts'
import { splitPointer } from '../../../base/formats/json.ts'
import { generateRequired } from '../../../values/generate-value.ts'
import { WORDS } from '../infer/id-names.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { codeLike } from '../../../values/new-values.ts'
import { nextId, SHOWS_CODES } from '../documents/ids.ts'
import { plainName } from '../../../base/formats/names.ts'

/** The ids of the documents that an instance begins with, in order. Each is made when it is first asked for. */
export interface SeedIds {
  readonly count: number
  at(index: number): string
  has(id: string): boolean
  /** Makes those that are left in steps; undefined where these are few. */
  makeMany(): Steps<object> | undefined
}

/** Ids that are made at once, in a few milliseconds: one that has a pattern takes a twentieth of a millisecond. */
const FEW = 200

interface SeedIdParts {
  readonly plan: CollectionPlan
  readonly document: unknown
  readonly seed: number
  readonly instance: string
  /** The ids that examples have; they come first. */
  readonly given: readonly (string | undefined)[]
  readonly count: number
}

/** Integers count from 1, UUIDs and texts follow the seed. Ids of examples stay as they are. */
export function createSeedIds(parts: SeedIdParts): SeedIds {
  const { given } = parts
  const count = Math.max(parts.count, given.length)
  const make = idMaker(parts)
  const ids: string[] = []
  const taken = new Set(given.flatMap((id) => id ?? []))
  let made = 0
  const add = () => {
    const own = given[ids.length]
    if (own !== undefined) return void ids.push(own)
    // What makes one may be interrupted and begin again (see `Turns`), and then makes the same.
    let number = made + 1
    let id = make(number, taken)
    while (taken.has(id)) id = make(++number, taken)
    made = number
    taken.add(id)
    ids.push(id)
  }
  function* makeRest(): Steps<object> {
    while (ids.length < count) {
      add()
      yield
    }
    return ids
  }
  return {
    count,
    at(index) {
      while (ids.length <= index) add()
      return ids[index] ?? ''
    },
    has(id) {
      while (ids.length < count) add()
      return taken.has(id)
    },
    makeMany: () => (count - ids.length > FEW ? makeRest() : undefined),
  }
}

type MakeId = (number: number, taken: ReadonlySet<string>) => string

function idMaker({ plan, document, seed, instance, given }: SeedIdParts): MakeId {
  const { type, schema, pointer, choices, fits } = plan.identity
  if (type === 'integer' && !choices && fits('1')) return String
  const { keywords } = shapeOf(document, schema)
  const member = splitPointer(pointer ?? '').at(-1) ?? ''
  const isFree =
    !choices && keywords.pattern === undefined && keywords.maxLength === undefined && keywords.format === undefined
  const key = chanceKey(seed, `ids of ${instance}`)
  const like = plan.identity.like() ?? given.find((id) => id !== undefined && SHOWS_CODES.test(id)) ?? ''
  const other: MakeId = (number, taken) =>
    nextId(plan, document, {
      documents: { made: number - 1, get: (id) => (taken.has(id) ? id : undefined) },
      instance,
      seed,
    })
  const fitting =
    (make: MakeId): MakeId =>
    (number, taken) => {
      const id = make(number, taken)
      return fits(id) ? id : other(number, taken)
    }
  if (type === 'text' && isFree && codeLike(like, key) !== undefined)
    return fitting((number) => codeLike(like, chanceKey(key, String(number))) ?? '')
  // People read these, so their values are words.
  const isWord = WORDS.has(plainName(member)) || plainName(member) === 'code'
  if (type === 'text' && isFree && isWord)
    return fitting((number, taken) => wordId({ document, member, key, number }, taken))
  return other
}

interface WordId {
  readonly document: unknown
  readonly member: string
  readonly key: number
  readonly number: number
}

/** `rustic-chair`, and `rustic-chair-17` when that is taken. */
function wordId({ document, member, key, number }: WordId, taken: ReadonlySet<string>): string {
  const schema = { type: 'string', minLength: 1 }
  const place = { document, schema, pointer: '', name: member }
  const made = generateRequired(place, { key: chanceKey(key, String(number)), now: 0 }, { invents: 'little', turn: 0 })
  const slug = String(made)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return slug === '' || taken.has(slug) ? `${slug || member}-${number}` : slug
}
