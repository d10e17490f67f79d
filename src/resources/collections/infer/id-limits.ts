import type { Parameter } from '../../../contract/contract.ts'
import { linearPattern } from '../../../contract/schemas/patterns.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'

/** Whether a schema allows numbers. */
export function isNumeric(document: unknown, schema: unknown): boolean {
  const { types } = shapeOf(document, schema)
  return types.has('integer') || types.has('number')
}

/** Tells whether a path may have an id, as requests are read. */
export function pathLimits(document: unknown, parameter: Parameter | undefined): (id: string) => boolean {
  if (!parameter) return () => true
  const { check, schema } = parameter
  const isNumber = isNumeric(document, schema)
  return (id) => {
    if (isNumber && !/^-?\d{1,15}$/.test(id)) return false
    return !check || check(isNumber ? Number(id) : id).length === 0
  }
}

const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  ipv4: /^\d{1,3}(\.\d{1,3}){3}$/,
  ipv6: /^[\da-f:.]*:[\da-f:.]*$/i,
}

/** Whether a schema allows an id. The keywords are read, because compiling schemas would delay the start. */
export function allowsId(document: unknown, schema: unknown, id: string): boolean {
  const { keywords, types } = shapeOf(document, schema)
  const {
    enum: values,
    pattern,
    minLength = 0,
    maxLength = Infinity,
    minimum = -Infinity,
    maximum = Infinity,
  } = keywords
  const isNumber = isNumeric(document, schema)
  const value = isNumber ? Number(id) : id
  if (Array.isArray(values) && !values.includes(value)) return false
  if (isNumber && !types.has('string'))
    return Number.isInteger(value) && Number(value) >= Number(minimum) && Number(value) <= Number(maximum)
  if (!types.has('string')) return true
  const format = Object.hasOwn(FORMATS, String(keywords.format)) ? FORMATS[String(keywords.format)] : undefined
  if (format && !format.test(id)) return false
  const { length } = id
  if (length < Number(minLength) || length > Number(maxLength)) return false
  return typeof pattern !== 'string' || matches(pattern, id)
}

function matches(pattern: string, id: string): boolean {
  try {
    return linearPattern(pattern).test(id)
  } catch {
    return true
  }
}

/** The ids that a contract lists, where it does; undefined for any. */
export function choicesOf(document: unknown, schemas: readonly unknown[]): readonly string[] | undefined {
  const lists = schemas.map((schema) => shapeOf(document, schema).keywords.enum).filter((one) => Array.isArray(one))
  const [first] = lists as unknown[][]
  const ids = first?.filter((one) => one !== null).map(String)
  return ids?.filter((id) => schemas.every((schema) => allowsId(document, schema, id)))
}
