import { follow } from '../pointer.ts'
import { conjunctsOf } from '../schemas/shape.ts'
import { asList, asObject, isObject, type Members } from '../../base/formats/json.ts'

/** More parts within parts are left as they are. */
const DEEPEST = 12

/**
 * Rewrites a schema whose parts shut out each other's members: `additionalProperties: false` in one part of an `allOf` knows nothing of the
 * others (JSON Schema 2020-12, 10.3.2.3), so no value would fit. Authors mean that nothing is in the value but what all parts describe
 * together, so such a part is opened, here alone.
 */
export function createOpener(document: Members): (schema: Members) => Members {
  return (schema) => {
    if (asList(schema.allOf).length === 0) return schema
    const parts = conjunctsOf(document, schema)
    if (!parts.some(isClosed)) return schema
    const names = parts.flatMap(({ properties }) => Object.keys(asObject(properties)))
    const shutsOut = (part: Members) =>
      isClosed(part) && names.some((name) => !Object.hasOwn(asObject(part.properties), name))
    return open(document, schema, shutsOut) as Members
  }
}

function isClosed({ additionalProperties, patternProperties }: Members): boolean {
  return additionalProperties === false && patternProperties === undefined
}

/** A copy of a part, and of what it refers to, as far as something in it shuts out members. */
function open(document: Members, part: unknown, shutsOut: (part: Members) => boolean, depth = 0): unknown {
  if (!isObject(part) || depth > DEEPEST || !conjunctsOf(document, part).some(shutsOut)) return part
  const { $ref: _reference, ...own } = part
  const whole: Members = { ...asObject(follow(document, part)), ...own }
  const { additionalProperties, ...rest } = whole
  const inner = asList(whole.allOf).map((one) => open(document, one, shutsOut, depth + 1))
  return {
    ...rest,
    ...(additionalProperties !== undefined && !shutsOut(whole) && { additionalProperties }),
    ...(inner.length > 0 && { allOf: inner }),
  }
}
