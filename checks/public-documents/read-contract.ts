import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parse } from 'yaml'
import { isObject } from '../../src/base/formats/json.ts'

export type Values = Readonly<Record<string, unknown>>

/** One operation of a public document, read without any of Standin's code. */
export interface PublicOperation {
  readonly method: string
  /** The key in `paths`. */
  readonly path: string
  /** The path of the server that applies, without a slash at its end. */
  readonly basePath: string
  readonly item: Values
  readonly operation: Values
  /** JSON pointer of the operation. */
  readonly pointer: string
}

export interface PublicContract {
  readonly document: Values
  readonly operations: readonly PublicOperation[]
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace']

/** Reads a document; Swagger 2.0 goes through `swagger2openapi`, which is not the converter that Standin uses. */
export async function readContract(file: string): Promise<PublicContract> {
  // Some files begin with a byte order mark.
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  const read = (file.endsWith('.json') ? JSON.parse(text) : parse(text)) as Values
  const document = read.swagger === undefined ? read : await convert(read)
  const operations = Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, written]) => {
    if (path.startsWith('x-')) return []
    const item = follow(document, written)
    return METHODS.flatMap((method): PublicOperation[] => {
      const operation = item[method]
      if (!isObject(operation)) return []
      const basePath = basePathOf([operation.servers, item.servers, document.servers])
      return [{ method, path, basePath, item, operation, pointer: `/paths/${escaped(path)}/${method}` }]
    })
  })
  return { document, operations }
}

async function convert(document: Values): Promise<Values> {
  const { convertObj } = createRequire(import.meta.url)('swagger2openapi') as {
    convertObj(document: Values, options: Values): Promise<{ openapi: Values }>
  }
  return (await convertObj(document, { patch: true, warnOnly: true })).openapi
}

function basePathOf(lists: readonly unknown[]): string {
  const servers = lists.find((list): list is unknown[] => Array.isArray(list) && list.length > 0)
  const server = servers?.[0]
  if (!isObject(server) || typeof server.url !== 'string') return ''
  const variables = isObject(server.variables) ? server.variables : {}
  const url = server.url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = variables[name]
    return isObject(variable) ? String(variable.default) : ''
  })
  return new URL(url, 'http://localhost').pathname.replace(/\/+$/, '')
}

/** What a reference leads to; the value itself when it is none. */
export function follow(document: Values, value: unknown): Values {
  if (!isObject(value)) return {}
  return typeof value.$ref === 'string'
    ? follow(document, at(document, decodeURIComponent(value.$ref.slice(1))))
    : value
}

/** The value at a JSON pointer. */
export function at(document: Values, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => {
      const held =
        isObject(value) && typeof value.$ref === 'string' && !(part in value) ? follow(document, value) : value
      return typeof held === 'object' && held !== null ? (held as Values)[part] : undefined
    }, document)
}

export function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}
