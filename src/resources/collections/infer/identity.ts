import { shapeOf, type Shape } from '../../../contract/schemas/shape.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { encodePointer } from '../../../formats/json.ts'
import { plainName } from './names.ts'
import type { Identity } from './plan.ts'

interface IdentityParts {
  readonly document: unknown
  /** Of an item. */
  readonly schema: unknown
  readonly noun: string
  /** The path parameter that names an item; undefined where no path has one. */
  readonly parameter: string | undefined
  /** The type of that parameter, and its maximum. */
  readonly parameterType: string | undefined
  readonly most: number | undefined
  /** The schema of the item in the body of a creation; undefined where there is none. */
  readonly input: unknown
  /** The member that the contract names by `x-standin`. */
  readonly named: string | undefined
}

/** Objects inside an item that may hold its id, as in Kubernetes. */
const INSIDE = ['metadata', 'meta', 'attributes']

/** Finds the member that holds the id: the one that the path parameter is called after, else `id`, else `<noun>Id`. */
export function findIdentity(parts: IdentityParts): Identity {
  const { document, schema, input, named } = parts
  const shape = shapeOf(document, schema, 'any')
  const pointer = named === undefined ? findPointer(parts, shape) : `/${encodePointer(named)}`
  const member = pointer === undefined ? undefined : memberAt(document, shape, pointer)
  const isChosen = pointer !== undefined && input !== undefined && isWritable(document, input, pointer)
  return { pointer, type: typeOf(document, member, parts.parameterType), schema: member, isChosen, most: parts.most }
}

function findPointer({ document, noun, parameter }: IdentityParts, shape: Shape): string | undefined {
  const wanted = namesOfId(noun, parameter)
  const find = ({ properties }: Shape, before: string) => {
    for (const name of wanted) {
      const found = [...properties.keys()].find((one) => plainName(one) === name)
      if (found !== undefined && isScalar(document, properties.get(found))) return `${before}/${encodePointer(found)}`
    }
    return undefined
  }
  const own = find(shape, '')
  if (own !== undefined) return own
  for (const name of INSIDE) {
    const inner = shape.properties.get(name)
    const found = inner === undefined ? undefined : find(shapeOf(document, inner, 'any'), `/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** `order_id` of an order is also `id`; `issue_number` of an issue is also `number`. */
function namesOfId(noun: string, parameter: string | undefined): string[] {
  const plain = plainName(noun)
  const own = parameter === undefined ? [] : [plainName(parameter)]
  const shorter = own.flatMap((name) => (name.startsWith(plain) && name !== plain ? [name.slice(plain.length)] : []))
  // `{userId}` of `/members` names its items by another word.
  const last =
    parameter === undefined
      ? []
      : [plainName(parameter.split(/[^a-z0-9]|(?=[A-Z])/i).findLast((part) => part !== '') ?? '')]
  return [...new Set([...own, ...shorter, 'id', `${plain}id`, 'uuid', 'guid', 'sid', ...last, ...NATURAL])].filter(
    (name) => name !== '',
  )
}

/** Names of members that often identify where nothing else does, the likelier first. */
const NATURAL = ['key', 'slug', 'sha', 'name', 'code', 'number', 'login', 'username']

function isScalar(document: unknown, schema: unknown): boolean {
  const { types, properties } = shapeOf(document, schema)
  return properties.size === 0 && !types.has('object') && !types.has('array') && !types.has('boolean')
}

/** The schema of a member. */
function memberAt(document: unknown, shape: Shape, pointer: string): unknown {
  const [name = '', ...rest] = pointer.slice(1).split('/').map(decode)
  const member = shape.properties.get(name)
  return rest.length === 0
    ? member
    : memberAt(document, shapeOf(document, member, 'any'), `/${rest.map(encodePointer).join('/')}`)
}

function decode(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Whether a body may have a member that it is allowed to write. */
function isWritable(document: unknown, schema: unknown, pointer: string): boolean {
  const member = memberAt(document, shapeOf(document, schema, 'any'), pointer)
  return member !== undefined && shapeOf(document, member).keywords.readOnly !== true
}

function typeOf(document: unknown, member: unknown, parameterType: string | undefined): Identity['type'] {
  const { types, keywords } = shapeOf(document, member)
  if (types.has('integer') || types.has('number') || parameterType === 'integer') return 'integer'
  if (keywords.format === 'uuid') return 'uuid'
  if (types.has('string')) return 'text'
  return 'text'
}

/** The id of an item as a text; undefined where it has none. */
export function idOf({ pointer }: Identity, item: unknown): string | undefined {
  const id = pointer === undefined ? undefined : valueAt(item, pointer)
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined
}
