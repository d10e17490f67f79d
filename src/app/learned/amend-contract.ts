import type { ContractChange } from '../../contract/load/load.ts'
import { locate, replaceAt } from '../../contract/pointer.ts'
import { jsonTypeOf, responseName } from '../../contract/schemas/documented.ts'
import {
  asObject,
  encodePointer,
  isObject,
  type Members,
  splitPointer,
  stringifyJson,
} from '../../base/formats/json.ts'
import { EXTENSION } from '../binding/match-operation.ts'
import type { Learned } from './learned.ts'

/** Completes a document by what was learnt of a service that it should have said. */
export function amendContract({ schemas, hints }: Pick<Learned, 'schemas' | 'hints'>): ContractChange {
  return {
    key: stringifyJson([schemas, hints]),
    apply(document) {
      const operations = operationPointers(document)
      const amendments = Object.entries(schemas).flatMap(([name, places]) => {
        const { operationId = '', part = '' } = partOf(name) ?? {}
        const operation = operations.get(operationId)
        const base = name.startsWith('#') ? name.slice(1) : operation && pointerOfPart(document, operation, part)
        // What the contract does not have is named when the rest of the profile is read.
        return base === undefined
          ? []
          : Object.entries(places).map(([place, keywords]) => ({ at: base + place, keywords }))
      })
      const complete = amendments.reduce(amend, document)
      const hinted = Object.entries(hints).reduce((made, [name, hint]) => {
        const at = name.startsWith('/') ? `/paths/${encodePointer(name)}` : operations.get(name)
        return at === undefined ? made : withHint(made, at, hint)
      }, complete)
      return { document: hinted, notes: [] }
    },
  }
}

function amend(document: Members, { at, keywords }: { readonly at: string; readonly keywords: Members }): Members {
  const { value, pointer } = locate(document, at, false)
  return replaceAt(document, splitPointer(pointer), { ...asObject(value), ...keywords })
}

/** With `x-standin` at an operation or a path. What the document says itself counts. */
function withHint(document: Members, at: string, hint: Members): Members {
  const { value, pointer } = locate(document, at)
  if (!isObject(value)) return document
  const { [EXTENSION]: own } = value
  const said = isObject(own) ? own : own === undefined ? {} : { role: own }
  return replaceAt(document, splitPointer(`${pointer}/${EXTENSION}`), { ...hint, ...said })
}

/** What `createPet 201` and `createPet body` name; undefined for another name. */
export function partOf(name: string): { readonly operationId: string; readonly part: string } | undefined {
  const [, operationId, part] = /^(.+) (\d{3}|body)$/s.exec(name) ?? []
  return operationId === undefined || part === undefined ? undefined : { operationId, part }
}

/**
 * The pointer of the schema of a response or of the body, also of one that the document does not have yet.
 *
 * @param operation its pointer
 * @param part the status of a response, or `body`
 */
export function pointerOfPart(document: unknown, operation: string, part: string): string {
  if (part === 'body') return pointerOfContent(document, `${operation}/requestBody`)
  const { value, pointer } = locate(document, `${operation}/responses`)
  return pointerOfContent(document, `${pointer}/${responseName(Number(part), asObject(value)) ?? part}`)
}

function pointerOfContent(document: unknown, holder: string): string {
  const held = locate(document, holder)
  const type = jsonTypeOf(Object.keys(asObject(asObject(held.value).content)))
  const at = isObject(held.value) ? held.pointer : holder
  return `${at}/content/${encodePointer(type ?? 'application/json')}/schema`
}

/** By operationId. */
function operationPointers({ paths }: Members): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(asObject(paths)).flatMap(([path, item]) =>
      Object.entries(asObject(item)).flatMap(([method, held]): [string, string][] =>
        isObject(held) && typeof held.operationId === 'string'
          ? [[held.operationId, `/paths/${encodePointer(path)}/${method}`]]
          : [],
      ),
    ),
  )
}
