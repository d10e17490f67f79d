import type { Contract, Operation } from '../../contract/contract.ts'
import { follow } from '../../contract/pointer.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { allowsNull, type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import type { EntryAdaptation } from '../../resources/adaptation.ts'
import { chanceKey } from '../../engine/random.ts'
import { asObject, isObject } from '../../base/formats/json.ts'
import type { Page } from '../../resources/handler.ts'
import { type EntryRecord, isUsualField } from '../../resources/file-sets/entries/file-record.ts'
import { completeObject } from '../../values/complete-object.ts'

/** The most alternatives of an entry's schema that are distinguished. */
const MAX_BRANCHES = 8

/** @param operation the search */
export function adaptEntries(contract: Contract, operation: Operation, seed: number): EntryAdaptation {
  const { document } = contract
  const { schema } = readDocumented(document, operation).response(200) ?? {}
  const items = shapeOf(document, shapeOf(document, schema).properties.get('files')).items
  const branches = branchesOf(document, items)
  const branchOf = ({ fileType }: EntryRecord) =>
    branches.find((branch) => allowsType(document, branch, fileType)) ?? branches[0]
  const shapes = branches.map((branch) => shapeOf(document, branch))
  const isUsual = shapes.every(({ isClosed, required }) => !isClosed && [...required].every(isUsualField))
  const complete = (record: EntryRecord) => {
    const known = { written: Date.parse(record.created) || 0, key: chanceKey(seed, `entry ${record.id}`) }
    return completeObject(document, branchOf(record), { ...record }, known) as unknown as EntryRecord
  }
  return {
    fields: new Set([...shapeOf(document, items, 'any').properties.keys()].filter((name) => !isUsualField(name))),
    ...(isUsual ? {} : { complete }),
    check(record: EntryRecord) {
      const whole = isUsual ? record : complete(record)
      const name = namedSchema(branchOf(record))
      if (name !== undefined) return contract.check(name, whole)
      return operation
        .checkResponse(200, { files: [whole], pageContext: {} })
        .filter(({ pointer = '' }) => pointer.startsWith(FIRST))
        .map((violation) => ({ ...violation, pointer: violation.pointer?.slice(FIRST.length) ?? '' }))
    },
  }
}

const FIRST = '/files/0'

function branchesOf(document: unknown, items: unknown): readonly unknown[] {
  const { $ref: reference, anyOf, oneOf } = asObject(items)
  if (typeof reference === 'string') {
    const inner = branchesOf(document, follow(document, items))
    return inner.length > 1 ? inner : [items]
  }
  const list = [anyOf, oneOf].find((one) => Array.isArray(one))
  return Array.isArray(list) && list.length > 0 ? list.slice(0, MAX_BRANCHES) : [items]
}

/** Whether an alternative is for entries of this type: one without `fileType` is for all but directories. */
function allowsType(document: unknown, branch: unknown, fileType: string): boolean {
  const type = shapeOf(document, shapeOf(document, branch).properties.get('fileType'))
  const { const: constant, enum: allowed } = type.keywords
  if (constant !== undefined) return constant === fileType
  return Array.isArray(allowed) ? allowed.includes(fileType) : fileType !== 'DIRECTORY'
}

/** `FileRecord` for a reference to `#/components/schemas/FileRecord`. */
function namedSchema(branch: unknown): string | undefined {
  const reference = isObject(branch) && typeof branch.$ref === 'string' ? branch.$ref : ''
  return /^#\/components\/schemas\/([^/~%]+)$/.exec(reference)?.[1]
}

/**
 * Adds to pages what the user's contract requires besides `files` and `pageContext.next`; undefined if it requires nothing else.
 *
 * @param schema of the response of a search
 * @param key the key of the values that are made up
 */
export function createPageCompleter(
  document: unknown,
  schema: unknown,
  key: number,
): ((page: Page, now: number) => Page) | undefined {
  const whole = shapeOf(document, schema)
  const inner = whole.properties.get('pageContext')
  const context = shapeOf(document, inner)
  const added = [...whole.required].filter((name) => !PAGE_MEMBERS.has(name))
  if (added.length === 0 && context.required.size === 0) return undefined
  return (page, now) => {
    const known = { written: now, key }
    const made = completeObject(document, schema, { files: [], pageContext: {} }, known)
    return {
      ...page,
      added: Object.fromEntries(Object.entries(made).filter(([name]) => !PAGE_MEMBERS.has(name))),
      context() {
        const usual = page.context()
        const members = asObject(usual)
        return completeObject(document, inner, members, {
          ...known,
          whenRequired: walkMembers(document, members, context),
        })
      },
    }
  }
}

const PAGE_MEMBERS = new Set(['files', 'pageContext'])

/** Members that say whether there are more pages. They must be true, or a client would ask for a page that does not exist. */
function walkMembers(
  document: unknown,
  { next }: Readonly<Record<string, unknown>>,
  { properties }: Shape,
): Record<string, unknown> {
  const hasMore = next !== undefined && next !== null && next !== ''
  const made: Record<string, unknown> = { next: allowsNull(document, properties.get('next'), true) ? null : '' }
  for (const name of properties.keys()) {
    const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
    if (/^(has)?(more|next|nextpage)$/.test(plain) && name !== 'next') made[name] = hasMore
    else if (/^(is)?last(page)?$/.test(plain)) made[name] = !hasMore
  }
  return made
}
