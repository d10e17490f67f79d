import { allows, type Shape, shapeOf } from '../contract/schemas/shape.ts'
import { isObject, type Members } from '../base/formats/json.ts'

/** Alternatives that are compared. */
const MAX_BRANCHES = 32

/** The shape of the first alternative of a schema that an object contradicts least: `type: card` belongs to a card. */
export function fittingShape(document: unknown, schema: unknown, usual: Members): Shape {
  const first = shapeOf(document, schema)
  let [best, least] = [first, misfit(document, first, usual)]
  for (let branch = 1; branch < MAX_BRANCHES && least > 0; branch++) {
    const shape = shapeOf(document, schema, branch)
    // It has no more alternatives.
    if (hasSameMembers(shape, first)) break
    const found = misfit(document, shape, usual)
    if (found < least) [best, least] = [shape, found]
  }
  return best
}

function hasSameMembers({ properties, required }: Shape, other: Shape): boolean {
  if (properties.size !== other.properties.size || required.size !== other.required.size) return false
  return [...properties].every(([name, schema]) => other.properties.get(name) === schema)
}

/** How much of an object a shape does not allow, or lacks. */
function misfit(document: unknown, { properties, required, isClosed }: Shape, usual: Members): number {
  let count = 0
  for (const [name, value] of Object.entries(usual)) {
    if (properties.has(name))
      count += allowsValue(shapeOf(document, properties.get(name), 'any'), value) ? 0 : CONTRADICTION
    else if (isClosed) count++
  }
  for (const name of required) if (usual[name] === undefined) count++
  return count
}

/** Weighs more than members that are missing, or that the shape does not have. */
const CONTRADICTION = 1000

function allowsValue(shape: Shape, value: unknown): boolean {
  const { const: constant, enum: values } = shape.keywords
  if (constant !== undefined && value !== constant) return false
  if (Array.isArray(values) && !isObject(value) && !values.includes(value)) return false
  return value === null || allows(shape, typeOf(value))
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' || typeof value === 'bigint' ? 'integer' : typeof value
}
