import { refusal } from '../../../behaviours/refusal.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { memberAt, shapeOf } from '../../../contract/schemas/shape.ts'
import { shown } from '../../../base/errors/problem.ts'
import { encodePointer, isObject, type Members, splitPointer } from '../../../base/formats/json.ts'
import type { Call, Reading } from '../../handler.ts'
import { isStamp, readOnlyMembers } from '../items/server-members.ts'
import { withValue } from '../items/with-value.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { keepNamed } from '../items/show.ts'
import { sentMembers } from '../items/sent-members.ts'
import type { OperationWork } from './work.ts'

/**
 * The item of a body: the members that the contract names, without those that only the service writes. A body may have some of them
 * beside the object that looks like the item.
 */
export function readInput(work: OperationWork, { body }: Pick<Call, 'body'>): Members {
  const { document, plan } = work
  const { input, into, collection } = plan
  const held = input && valueAt(body, input.pointer)
  if (into !== '') return isObject(held) ? withValue({}, into, writable(work, held)) : {}
  if (!input || input.pointer === '' || !isObject(body))
    return isObject(held) ? writable(work, unwrapped(work, held)) : {}
  const [envelope] = splitPointer(input.pointer)
  const { properties } = shapeOf(document, collection.schema, 'any')
  const beside = Object.entries(body).filter(([name]) => name !== envelope && properties.has(name))
  return writable(work, { ...Object.fromEntries(beside), ...(isObject(held) ? held : {}) })
}

/** Unwraps a body with one undocumented member that holds members of the item: `{"data": {…}}`. */
function unwrapped({ document, plan: { input, collection } }: OperationWork, body: Members): Members {
  const [first, ...others] = Object.entries(body)
  const [name, inner] = first ?? []
  if (name === undefined || !isObject(inner) || others.length > 0) return body
  const named = shapeOf(document, collection.schema, 'any').properties
  const isNamed = named.has(name) || shapeOf(document, input?.schema, 'any').properties.has(name)
  return !isNamed && Object.keys(inner).some((one) => named.has(one)) ? inner : body
}

/** The items of a body that is a list. */
export function readInputs(work: OperationWork, { body }: Pick<Call, 'body'>): Members[] {
  const { input } = work.plan
  const held = input && valueAt(body, input.pointer)
  return Array.isArray(held) ? held.map((one: unknown) => (isObject(one) ? writable(work, one) : {})) : []
}

function writable({ document, plan }: OperationWork, value: Members): Members {
  const schema = schemaOf(document, plan)
  const named = {
    ...(keepNamed(document, schema, sentMembers(document, schema, value), 'request') as Members),
    ...sentMembers(document, schema, keepNamed(document, plan.input?.schema, value, 'request') as Members),
  }
  const kept = keptMembers(document, { input: plan.input?.schema, schema })
  return Object.fromEntries(Object.entries(named).filter(([name]) => !kept.has(name)))
}

/** The schema of the item, or of its member that the body describes. */
function schemaOf(document: unknown, { collection, into }: OperationPlan): unknown {
  return memberAt(document, collection.schema, splitPointer(into))
}

/** The members that clients cannot write. */
function keptMembers(
  document: unknown,
  { input, schema }: { readonly input: unknown; readonly schema: unknown },
): ReadonlySet<string> {
  const taken = shapeOf(document, input, 'any').properties
  const stamps = [...shapeOf(document, schema, 'any').properties.keys()].filter(isStamp)
  return new Set([
    ...[...readOnlyMembers(document, schema), ...stamps].filter((name) => !taken.has(name)),
    ...readOnlyMembers(document, input),
  ])
}

/** Members of a body that only the service writes: `collections.read-only` ignores or refuses them. @param before the item as it is */
export function checkReadOnly(
  { document, plan }: OperationWork,
  { body, tracker }: Pick<Call, 'body' | 'tracker'>,
  before: Members | undefined,
): Pick<Reading, 'violations' | 'ignored'> {
  const { input, into } = plan
  if (!input) return { violations: [] }
  const known = valueAt(before, into)
  const held = valueAt(body, input.pointer)
  const kept = keptMembers(document, { input: input.schema, schema: schemaOf(document, plan) })
  const items = input.isList && Array.isArray(held) ? held.entries() : [['', held] as const]
  const sent = [...items].flatMap(([index, item]) => {
    const at = `${input.pointer}${index === '' ? '' : `/${index}`}`
    // A client may send back what it has read.
    return Object.entries(isObject(item) ? item : {})
      .filter(([name, value]) => kept.has(name) && !(isObject(known) && shown(known[name]) === shown(value)))
      .map(([name, value]) => ({ pointer: `${at}/${encodePointer(name)}`, value }))
  })
  if (sent.length === 0) return { violations: [] }
  if (tracker.ask('collections.read-only') === 'ignore')
    return { violations: [], ignored: sent.map(({ pointer }) => pointer) }
  const refused = sent.map(({ pointer, value }) =>
    refusal('collections.read-only', { pointer }, 'nothing, since it is readOnly', value),
  )
  return { violations: refused }
}
