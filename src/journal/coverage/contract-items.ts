import type { Operation, Parameter } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import { isObject } from '../../base/formats/json.ts'

/** Names what is counted, and returns the index of its counter. */
export type AddItem = (kind: string, name: string) => number

/** The members of a body by name, each with the index of its counter; the values of an enumeration, too. */
export interface BodyItems {
  /** Undefined for the body itself and for the elements of a list. */
  readonly slot: number | undefined
  readonly values: ValueCounters | undefined
  readonly members: ReadonlyMap<string, BodyItems>
  readonly element: BodyItems | undefined
}

/** By the text of a value: the index of its counter. */
export type ValueCounters = ReadonlyMap<string, number>

export interface ParameterItem {
  readonly parameter: Parameter
  readonly slot: number
  readonly values: ValueCounters | undefined
}

/** An enumeration with more values, such as one of time zones, is not counted value by value. */
const MAX_VALUES = 50
const MAX_MEMBERS = 500
const MAX_LEVELS = 8

/** Those of the query, of headers and of cookies: a path without its parameters would be another one. */
export function readParameterItems({ parameters }: Operation, document: unknown, add: AddItem): ParameterItem[] {
  return parameters
    .filter((one) => one.in !== 'path')
    .map((parameter) => {
      const { name, schema } = parameter
      const shown = parameter.in === 'query' ? name : `${name} (${parameter.in})`
      const slot = add('parameters', shown)
      const shape = shapeOf(document, schema, 'any')
      const element = shape.items === undefined ? undefined : shapeOf(document, shape.items, 'any')
      return { parameter, slot, values: readValues(element ?? shape, shown, add) }
    })
}

/** Undefined for an operation without a body that has members. */
export function readBodyItems(operation: Operation, document: unknown, add: AddItem): BodyItems | undefined {
  const { input } = readDocumented(document, operation)
  if (!isObject(input)) return undefined
  let room = MAX_MEMBERS
  const read = (schema: unknown, name: string, around: ReadonlySet<Shape>): BodyItems => {
    const shape = shapeOf(document, schema, 'any')
    const isMember = name !== '' && !name.endsWith('[]')
    const slot = isMember ? add('members', name) : undefined
    const values = readValues(shape, name, add)
    const members = new Map<string, BodyItems>()
    const inner = new Set([...around, shape])
    // A schema that contains itself is counted once.
    if (around.has(shape) || around.size >= MAX_LEVELS) return { slot, values, members, element: undefined }
    for (const [member, described] of shape.properties) {
      if (shapeOf(document, described, 'any').keywords.readOnly === true || room-- <= 0) continue
      members.set(member, read(described, name === '' ? member : `${name}.${member}`, inner))
    }
    return { slot, values, members, element: shape.items === undefined ? undefined : read(shape.items, `${name}[]`, inner) }
  }
  return read(input, '', new Set())
}

/** The values of an enumeration, and both of a boolean. */
function readValues({ keywords, types }: Shape, name: string, add: AddItem): ValueCounters | undefined {
  const listed: readonly unknown[] = Array.isArray(keywords.enum) ? keywords.enum : types.has('boolean') ? BOTH : []
  const texts = listed.filter((value) => ['string', 'number', 'boolean'].includes(typeof value)).map(String)
  if (texts.length < 2 || texts.length > MAX_VALUES) return undefined
  return new Map(texts.map((text) => [text, add('values', `${name} = ${text}`)]))
}

const BOTH = [true, false]
