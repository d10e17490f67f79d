import type { Operation } from '../../../contract/contract.ts'
import type { Lookup } from '../../../contract/pointer.ts'
import { encodePointer, isObject, type Members } from '../../../base/formats/json.ts'

/**
 * A stub for each example of a response that examples of the request have the name of: a request that is as those say gets that response,
 * as in Microcks.
 */
export function pairExamples(lookup: Lookup, operation: Operation): readonly Members[] {
  return Object.keys(objectAt(lookup, `${operation.pointer}/responses`)).flatMap((status) => {
    const names = examplesIn(lookup, `${operation.pointer}/responses/${encodePointer(status)}/content`)
    return [...names.keys()].flatMap((name) => {
      const when = requestOf(lookup, operation, name)
      const code = Number(status)
      const respond = { example: name, ...(Number.isInteger(code) ? { status: code } : {}) }
      return when ? [{ name: `example ${name} of ${operation.operationId}`, when, respond }] : []
    })
  })
}

/** What the examples of a name say of the request; undefined where there are none. */
function requestOf(lookup: Lookup, operation: Operation, name: string): Members | undefined {
  const when: Record<string, Record<string, unknown>> = {}
  const body = examplesIn(lookup, `${operation.pointer}/requestBody/content`).get(name)
  for (const parameter of parametersOf(lookup, operation)) {
    const { in: place, name: called, examples } = parameter
    const value = exampleOf(lookup, isObject(examples) ? examples[name] : undefined)
    if (value === undefined || (place !== 'path' && place !== 'query' && place !== 'header')) continue
    when[place] = { ...when[place], [String(called)]: value }
  }
  if (body !== undefined) when.body = { equals: body }
  return Object.keys(when).length === 0 ? undefined : when
}

function parametersOf(lookup: Lookup, { pointer }: Operation): readonly Members[] {
  return [pointer.slice(0, pointer.lastIndexOf('/')), pointer].flatMap((at) => {
    const list = lookup.at(`${at}/parameters`)
    return Array.isArray(list) ? list.map((one) => lookup.follow(one)).filter(isObject) : []
  })
}

/** The values of the examples of all media types, by name. */
export function examplesIn(lookup: Lookup, pointer: string): ReadonlyMap<string, unknown> {
  const types = Object.values(objectAt(lookup, pointer)).map((media) => lookup.follow(media))
  const named = types.flatMap((media) =>
    isObject(media) && isObject(media.examples) ? Object.entries(media.examples) : [],
  )
  return new Map(named.map(([name, example]) => [name, exampleOf(lookup, example)]))
}

function exampleOf(lookup: Lookup, example: unknown): unknown {
  const held = lookup.follow(example)
  return isObject(held) ? held.value : undefined
}

function objectAt(lookup: Lookup, pointer: string): Members {
  const held = lookup.at(pointer)
  return isObject(held) ? held : {}
}
