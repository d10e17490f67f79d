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
import type { Learned } from './learned.ts'

/** Completes the schemas of a document by what was learnt of a service that it should have said. */
export function amendContract(schemas: Learned['schemas']): ContractChange {
  return {
    key: stringifyJson(schemas),
    apply(document) {
      const amendments = Object.entries(schemas).flatMap(([name, places]) => {
        const base = pointerOfSchema(document, name)
        return base === undefined
          ? []
          : Object.entries(places).map(([place, keywords]) => ({ at: base + place, keywords }))
      })
      return { document: amendments.reduce(amend, document), notes: [] }
    },
  }
}

function amend(document: Members, { at, keywords }: { readonly at: string; readonly keywords: Members }): Members {
  const { value, pointer } = locate(document, at, false)
  return replaceAt(document, splitPointer(pointer), { ...asObject(value), ...keywords })
}

/**
 * Where the schema is that a name in a profile means: `#/components/schemas/Pet`, `createPet 201` for that of a response, also of one that
 * the document does not have yet, or `createPet body`. Undefined for what is not in the document.
 */
export function pointerOfSchema(document: Members, name: string): string | undefined {
  if (name.startsWith('#')) return isObject(locate(document, name.slice(1)).value) ? name.slice(1) : undefined
  const [, operationId = '', part = ''] = /^(.*) (\d{3}|body)$/.exec(name) ?? []
  const operation = pointerOfOperation(document, operationId)
  if (operation === undefined) return undefined
  if (part === 'body') return pointerOfContent(document, `${operation}/requestBody`)
  const { value, pointer } = locate(document, `${operation}/responses`)
  return pointerOfContent(document, `${pointer}/${responseName(Number(part), asObject(value)) ?? part}`)
}

function pointerOfContent(document: Members, holder: string): string {
  const held = locate(document, holder)
  const type = jsonTypeOf(Object.keys(asObject(asObject(held.value).content)))
  const at = isObject(held.value) ? held.pointer : holder
  return `${at}/content/${encodePointer(type ?? 'application/json')}/schema`
}

function pointerOfOperation(document: Members, operationId: string): string | undefined {
  for (const [path, item] of Object.entries(asObject(document.paths)))
    for (const [method, held] of Object.entries(asObject(item)))
      if (isObject(held) && held.operationId === operationId) return `/paths/${encodePointer(path)}/${method}`
  return undefined
}
