import { isObject } from '../../src/base/formats/json.ts'
import { follow, type PublicContract, readContract, type Values } from '../public-documents/read-contract.ts'
import type { Recorded } from './recording.ts'
import type { Likeness } from './score.ts'
import type { Step } from './session.ts'

/**
 * What the document of a service says of its responses at most: whether it has their statuses, and describes all members that they have.
 * No server that knows the document alone can be sure of more; what is usual on the web it can still guess.
 */
export async function readCeiling(file: string): Promise<(step: Step, expected: Recorded) => Likeness> {
  const contract = await readContract(file)
  return ({ method, path }, { status, body }) => {
    const responses = responsesOf(contract, method, path)
    const name = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((one) => one in responses)
    const isDocumented = name !== undefined
    if (!isObject(body) && !Array.isArray(body)) return { status: isDocumented }
    const { content } = follow(contract.document, responses[name ?? ''])
    const media = isObject(content) ? Object.entries(content).find(([type]) => /json|\*/.test(type))?.[1] : undefined
    const { schema } = follow(contract.document, media)
    return { status: isDocumented, members: schema !== undefined && describes(contract.document, schema, body, 0) }
  }
}

function responsesOf({ document, operations }: PublicContract, method: string, path: string): Values {
  const segments = path.replace(/\?.*/, '').split('/')
  const fits = (template: string) => {
    const parts = template.split('/')
    return parts.length === segments.length && parts.every((part, at) => part.includes('{') || part === segments[at])
  }
  const known = operations.filter((one) => one.method === method.toLowerCase() && fits(one.path))
  const [first] = known.toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)
  return follow(document, first?.operation.responses)
}

/** Recursive schemas have no end. */
const DEEPEST = 30

/** Whether a schema names each member of a value. Members of which it says nothing but that there may be any are not named. */
function describes(document: Values, held: unknown, value: unknown, depth: number): boolean {
  if (depth > DEEPEST) return false
  const schemas = partsOf(document, held, depth)
  if (Array.isArray(value))
    return value.every((one) =>
      schemas.some(({ items }) => items !== undefined && describes(document, items, one, depth + 1)),
    )
  if (!isObject(value)) return true
  return Object.entries(value).every(([name, one]) =>
    schemas.some(({ properties, additionalProperties: others }) => {
      const member = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : others
      return isObject(member) && describes(document, member, one, depth + 1)
    }),
  )
}

/** A schema with all that it is composed of. */
function partsOf(document: Values, held: unknown, depth: number): Values[] {
  const schema = follow(document, held)
  if (depth > DEEPEST) return [schema]
  const inner = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  )
  return [schema, ...inner.flatMap((one) => partsOf(document, one, depth + 1))]
}
