import type { PrismHttpInstance } from '@stoplight/prism-http'
import { OPERATION_CONFIG, transformOas3Operation } from '@stoplight/http-spec'
import type { Contract, Operation } from '../contract/contract.ts'
import type { Lookup } from '../contract/schemas/lookup.ts'
import { encodePointer, isObject } from '../formats/json.ts'

/** An operation as Prism knows it. */
export type Resource = Parameters<PrismHttpInstance['request']>[1][number]

const MARK = 'standin-place:'

/**
 * An operation made ready for Prism. It chooses status, media type and example; where it would make a value by a schema, it finds
 * a schema whose only value is the name of the place where the real one stands, so that we see it, and make the value ourselves.
 * It is also quick: Prism never sees the schemas, and copying those of a large document takes it minutes.
 */
export function createResource(
  { document }: Pick<Contract, 'document'>,
  { path, method, pointer }: Operation,
  lookup: Lookup,
): Resource {
  const operation = lookup.at(pointer)
  const { deprecated } = isObject(operation) ? operation : {}
  const reduced = { responses: mapMembers(lookup, `${pointer}/responses`, (at) => responseAt(lookup, at)), deprecated }
  return transformOas3Operation({
    document: {
      openapi: '3.1.0',
      info: isObject(document.info) ? document.info : {},
      paths: { [path]: { [method.toLowerCase()]: reduced } },
    },
    name: path,
    method: method.toLowerCase(),
    config: OPERATION_CONFIG,
  }) as Resource
}

/** The place that a value names, when Prism has found no example and taken our mark for one. */
export function markedPlace(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined
}

function responseAt(lookup: Lookup, pointer: string): object {
  return {
    description: '',
    headers: mapMembers(lookup, `${pointer}/headers`, (at) => withMark(lookup, at)),
    content: mapMembers(lookup, `${pointer}/content`, (at) => withMark(lookup, at)),
  }
}

/** Examples as they are, and the mark in place of the schema. */
function withMark(lookup: Lookup, pointer: string): object {
  const held = lookup.at(pointer)
  const { example } = isObject(held) ? held : {}
  return {
    schema: { type: 'string', enum: [`${MARK}${lookup.placeOf(pointer)}/schema`] },
    ...(example === undefined ? {} : { example }),
    examples: mapMembers(lookup, `${pointer}/examples`, (at) => lookup.at(at)),
  }
}

/** Each member of the object at a pointer, by its own pointer. */
function mapMembers(lookup: Lookup, pointer: string, map: (pointer: string) => unknown): Record<string, unknown> {
  const held = lookup.at(pointer)
  const names = isObject(held) ? Object.keys(held).filter((name) => !name.startsWith('x-')) : []
  return Object.fromEntries(names.map((name) => [name, map(`${pointer}/${encodePointer(name)}`)]))
}
