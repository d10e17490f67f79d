import { isObject } from '../../base/formats/json.ts'
import { memberOf } from '../load/document-structure.ts'
import { isReference, locate, targetOf } from '../pointer.ts'

/** Some services reach all of their schemas, megabytes, from each. The nearest ones are the most useful. */
const MAX_LENGTH = 256 * 1024

interface BundledSchema {
  readonly schema: Record<string, unknown>
  /** Whether schemas were left out: where they belong, anything is allowed. */
  readonly isShortened: boolean
}

/**
 * A schema in one piece: what it refers to is in its `$defs`, under the last name of the reference.
 *
 * @example bundleSchema(document, { $ref: '#/components/schemas/Order' }) // { schema: { $ref: '#/$defs/Order', $defs: { … } }, … }
 */
export function bundleSchema(document: unknown, schema: unknown): BundledSchema {
  const names = new Map<string, string>()
  const $defs: Record<string, unknown> = {}
  const taken = new Set<string>()
  const refer = (pointer: string) => {
    const known = names.get(pointer)
    if (known !== undefined) return known
    const own = (pointer.split('/').at(-1) ?? '').replaceAll(/[^\w.-]/g, '_') || 'schema'
    let name = own
    for (let count = 2; taken.has(name); count++) name = `${own}_${count}`
    taken.add(name)
    names.set(pointer, name)
    return name
  }
  const copy = (value: unknown): unknown =>
    copySchema(value, (target) => refer(locate(document, target, false).pointer))
  const root = copy(schema)
  let length = JSON.stringify(root ?? null).length
  let isShortened = length > MAX_LENGTH
  // Copying adds further names, which this loop visits too: those that are referred to first come first.
  for (const [pointer, name] of names) {
    if (isShortened) {
      $defs[name] = {}
      continue
    }
    const made = copy(locate(document, pointer, false).value)
    length += JSON.stringify(made ?? null).length
    isShortened = length > MAX_LENGTH
    $defs[name] = isShortened ? {} : (made ?? {})
  }
  const whole = isObject(root) && JSON.stringify(root).length <= MAX_LENGTH ? root : {}
  return { schema: names.size === 0 ? whole : { ...whole, $defs }, isShortened }
}

/** @param refer the name in `$defs` for the pointer of a reference */
function copySchema(value: unknown, refer: (pointer: string) => string): unknown {
  if (!isObject(value)) return value
  const made: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    if (name.startsWith('x-') || name === '$defs') continue
    const member = memberOf('schema', name)
    if (!member) made[name] = inner
    else if (Array.isArray(inner)) made[name] = inner.map((one) => copySchema(one, refer))
    else if (member.holds === 'map' && isObject(inner))
      made[name] = Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, copySchema(one, refer)]))
    else made[name] = copySchema(inner, refer)
  }
  if (isReference(value) && value.$ref.startsWith('#')) made.$ref = `#/$defs/${refer(targetOf(value))}`
  return made
}
