import type { Operation, Parameter } from '../../../contract/contract.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { methodWords } from '../../../contract/template.ts'
import { splitPointer } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import { singular } from '../../../base/formats/plurals.ts'
import { isDeletion } from '../infer/actions.ts'
import { draftOf } from '../infer/draft-operation.ts'
import { segmentsOf } from '../infer/routes.ts'

/** An operation whose path ends in the name of a method: `/channels.rename`, `/channels/rename`. */
interface RpcMethod {
  readonly operation: Operation
  /** `/channels` */
  readonly base: string
  /** `rename` */
  readonly word: string
}

const READS = /^(get|info|read|retrieve|show|view|describe|details|fetch)$/i
const LISTS = /^(list|all|list_?all)$/i
const CREATES = /^(create|new|add|insert)$/i
const UPDATES = /^(update|edit|modify|patch)$/i

/**
 * Operations of APIs in the style of remote procedure calls as the operations on resources that they mean: `GET /channels.info?channel=7` is
 * `GET /channels/{channel}`, and `POST /channels/rename` with `{"channel_id": 7}` is `POST /channels/{channel_id}/rename`. The paths of such
 * APIs name a thing and a verb, and the id is among the other parameters. Where one method reads a thing by its id, and another lists or
 * creates things, the others of the same thing are about it too, unless the document also has paths of resources for it.
 */
export function withRpcMethods(document: unknown, operations: readonly Operation[]): readonly Operation[] {
  const meant = new Map<Operation, Operation>()
  for (const [base, group] of Map.groupBy(operations.flatMap(methodOf), (one) => one.base)) {
    const has = (...verbs: readonly RegExp[]) => group.some(({ word }) => verbs.some((verb) => verb.test(word)))
    if (!has(READS) || !has(LISTS, CREATES)) continue
    if (operations.some(({ path }) => path === base || path.startsWith(`${base}/{`))) continue
    const nouns = nounsOf(document, group)
    const seen = new Set<string>()
    for (const one of nouns.length > 0 ? group : []) {
      const found = meaningOf(one, idAmong(document, one, nouns))
      if (!found) continue
      const { method, id, below = '' } = found
      const path = `${base}${id ? `/{${id.name}}` : ''}${below}`
      if (seen.has(`${method} ${path}`)) continue
      seen.add(`${method} ${path}`)
      const parameters = [...one.operation.parameters, ...(id ? [id] : [])]
      meant.set(one.operation, { ...one.operation, method, path, parameters, written: one.operation })
    }
  }
  return operations.map((one) => meant.get(one) ?? one)
}

function methodOf(operation: Operation): RpcMethod[] {
  const segments = segmentsOf(operation)
  const words = [...segments.slice(0, -1), ...(methodWords(segments.at(-1) ?? '') ?? segments.slice(-1))]
  const isMethod = ['GET', 'POST'].includes(operation.method) && words.length > 1 && !operation.path.includes('{')
  return isMethod ? [{ operation, base: `/${words.slice(0, -1).join('/')}`, word: words.at(-1) ?? '' }] : []
}

/** What the parameter with the id may be named after: the thing of the path, and the member that shows it in the response to a read. */
function nounsOf(document: unknown, group: readonly RpcMethod[]): readonly string[] {
  for (const one of group.filter(({ word }) => READS.test(word))) {
    const noun = singular(one.base.slice(one.base.lastIndexOf('/') + 1))
    const read = draftOf(document, one.operation, noun)
    const nouns = [noun, ...splitPointer(read?.item?.pointer ?? '').slice(-1)].map(plainName)
    if (read?.item && !read.list && idAmong(document, one, nouns)) return nouns
  }
  return []
}

/** The query parameter, or the member of the body, that has the id. */
function idAmong(document: unknown, { operation }: RpcMethod, nouns: readonly string[]): Parameter | undefined {
  const names = new Set(['id', ...nouns.flatMap((noun) => [`${noun}id`, `${noun}uuid`, noun])])
  const { properties } = shapeOf(document, readDocumented(document, operation).input, 'any')
  const sent = [...properties].map(([name, schema]) => ({ name, schema }))
  const inputs = [...operation.parameters.filter((one) => one.in === 'query'), ...sent]
  const id = inputs.find(({ name }) => names.has(plainName(name)))
  return id && { type: 'string', source: operation.bodySource, ...id, in: 'path', required: true }
}

interface RpcMeaning {
  readonly method: string
  /** The parameter with the id of the item that the path goes through; undefined for the collection. */
  readonly id?: Parameter
  /** The path below. */
  readonly below?: string
}

function meaningOf({ operation, word }: RpcMethod, id: Parameter | undefined): RpcMeaning | undefined {
  if (LISTS.test(word)) return { method: 'GET' }
  if (READS.test(word)) return id && { method: 'GET', id }
  if (operation.method !== 'POST') return undefined
  if (CREATES.test(word)) return { method: 'POST' }
  if (!id) return { method: 'POST', below: `/${word}` }
  if (UPDATES.test(word)) return { method: 'PATCH', id }
  return isDeletion(word) ? { method: 'DELETE', id } : { method: 'POST', id, below: `/${word}` }
}
