import { fill, type Words } from '../contract/fill.ts'
import { shapeOf } from '../contract/shape.ts'
import { isObject } from '../json.ts'
import type { Known } from '../operations/follows.ts'

type Members = Readonly<Record<string, unknown>>

/** A usual object with what a schema names beyond it and requires, and without what it shuts out. */
export function completeObject(
  document: unknown,
  schema: unknown,
  usual: Members,
  { whenNamed, whenRequired, written }: Known,
): Members {
  const complete = (schema: unknown, usual: Members, named: Members, required: Members): Members => {
    const shape = shapeOf(document, schema)
    const inner = (name: string, value: unknown) =>
      isObject(value) && shape.properties.has(name)
        ? complete(shape.properties.get(name), value, membersOf(named[name]), membersOf(required[name]))
        : value
    const kept = Object.entries(usual)
      .filter(([name, value]) => value !== undefined && (shape.properties.has(name) || !shape.isClosed))
      .map(([name, value]) => [name, inner(name, value)] as const)
    const made = new Map<string, unknown>(kept)
    for (const [name, member] of shape.properties) {
      if (made.has(name)) continue
      const known = named[name] === undefined && shape.required.has(name) ? required[name] : named[name]
      if (known !== undefined) made.set(name, known)
      else if (shape.required.has(name)) made.set(name, fill(document, member, wordless(written)))
    }
    return Object.fromEntries(made)
  }
  return complete(schema, usual, whenNamed, whenRequired)
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {}
}

/** What is required and that nobody told has only its schema to go by. */
function wordless(now: number): Words {
  return { member: () => undefined, elements: () => undefined, isSame: () => false, now, uuid: NO_UUID }
}

/** RFC 9562, 5.9. */
const NO_UUID = '00000000-0000-0000-0000-000000000000'
