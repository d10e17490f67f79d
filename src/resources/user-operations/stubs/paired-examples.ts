import type { Operation } from '../../../contract/contract.ts'
import type { Lookup } from '../../../contract/pointer.ts'
import { encodePointer, isObject, type Members } from '../../../base/formats/json.ts'

/**
 * A stub for each example of a response that examples of the request have the name of: a request that is as those say gets that response,
 * as in Microcks.
 */
export function pairExamples(lookup: Lookup, operation: Operation): readonly Members[] {
  const bodies = examplesIn(lookup, `${operation.pointer}/requestBody/content`)
  const parameters = parametersOf(lookup, operation)
  return Object.keys(objectAt(lookup, `${operation.pointer}/responses`)).flatMap((status) => {
    const names = examplesIn(lookup, `${operation.pointer}/responses/${encodePointer(status)}/content`)
    return [...names.keys()].flatMap((name) => {
      const when = requestOf(name, { lookup, bodies, parameters })
      const code = Number(status)
      const respond = { example: name, ...(Number.isInteger(code) ? { status: code } : {}) }
      return when ? [{ name: `example ${name} of ${operation.operationId}`, when, respond }] : []
    })
  })
}

interface RequestExamples {
  readonly lookup: Lookup
  /** The values of the examples of the body, by name. */
  readonly bodies: ReadonlyMap<string, unknown>
  readonly parameters: readonly Members[]
}

/** What the examples of a name say of the request; undefined where there are none. */
function requestOf(name: string, { lookup, bodies, parameters }: RequestExamples): Members | undefined {
  const when: Record<string, Record<string, unknown>> = {}
  const body = bodies.get(name)
  for (const parameter of parameters) {
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
