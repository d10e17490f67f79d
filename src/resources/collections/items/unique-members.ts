import { follow, valueAt } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { refusal } from '../../../behaviours/refusal.ts'
import { itemExists } from '../../../base/errors/resource-errors.ts'
import { withArticle } from '../../../base/errors/wording.ts'
import { encodePointer, isObject, type Members } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import type { Call } from '../../handler.ts'
import type { Documents } from '../documents/documents.ts'
import { selectNow } from '../documents/select.ts'
import type { OperationPlan } from '../infer/plan.ts'

/** What the document says of members whose values no two items share. */
export interface UniqueMembers {
  readonly names: readonly string[]
  /** Whether a creation with a known value gives the item that has it. */
  readonly givesExisting: boolean
}

/**
 * Members are unique whose description says so, which a path takes for the id, `/tags/name/{name}` and `/tags/by-slug/{slug}`, or of
 * which the creation says what it does "if a tag with the same name already exists".
 */
export function readUnique(document: unknown, { collection, operation }: OperationPlan): UniqueMembers {
  const { paths } = isObject(document) ? document : {}
  const own = operation.path.replace(/\/$/, '')
  const keys = Object.keys(isObject(paths) ? paths : {}).flatMap((path) => {
    const [, word = '', name = ''] = path.startsWith(own) ? (OTHER_KEY.exec(path.slice(own.length)) ?? []) : []
    return word !== '' && plainName(word) === plainName(name) ? [plainName(word)] : []
  })
  const { summary, description } = (follow(document, valueAt(document, operation.pointer)) ?? {}) as Members
  const said = `${String(summary)}. ${String(description)}`.replaceAll(/\s+/g, ' ')
  const [, same = ''] = SAME.exec(said) ?? []
  const names = [...shapeOf(document, collection.schema, 'any').properties].flatMap(([name, schema]) => {
    const { types, keywords } = shapeOf(document, schema)
    const plain = plainName(name)
    const isUnique = UNIQUE.test(String(keywords.description)) || keys.includes(plain) || plain === plainName(same)
    return isUnique && types.has('string') && collection.identity.pointer !== `/${encodePointer(name)}` ? [name] : []
  })
  return { names, givesExisting: EXISTING.test(said) }
}

const OTHER_KEY = /^\/(?:by[-_]?)?(\w+)\/\{(\w+)\}\/?$/
const UNIQUE = /\b(?:must be unique|(?:is|are|a|the) unique(?! id))\b/i
const SAME = /\b(?:with|of) (?:the|that|this) (?:same )?(\w+) already exists/i
const EXISTING =
  /already exists,? (?:(?:the|that|this|an) )?(?:existing|same) \w+ (?:is|will be|gets) returned|already exists,? (?:it )?returns? (?:the|that|it)/i

interface Creation {
  readonly unique: UniqueMembers
  readonly given: Members
  readonly documents: Documents
  readonly noun: string
  readonly call: Call
}

/** The id of the item that has one of these values already, where the creation gives it. @throws Problem 409 `collections.unique` */
export function findSame({ unique, given, documents, noun, call }: Creation): string | undefined {
  for (const name of unique.names) {
    const value = given[name]
    if (typeof value !== 'string') continue
    const pointer = `/${encodePointer(name)}`
    const { count, slice } = selectNow(documents, { conditions: [{ pointer, oneOf: [value] }], order: [] })
    const [same] = count === 0 ? [] : slice(0, 1)
    if (!same || call.tracker.ask('collections.unique') === 'accept') continue
    if (unique.givesExisting) return same.id
    throw itemExists({
      detail: `There is ${withArticle(noun)} with the ${name} ${value} already.`,
      violations: [refusal('collections.unique', { pointer }, `a ${name} that no ${noun} has`, value)],
    })
  }
  return undefined
}
