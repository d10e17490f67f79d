import { METHODS } from './grammar.ts'
import { isObject } from '../../formats/json.ts'

type Values = Readonly<Record<string, unknown>>

/** A document in which each operation has an id: its own, or one made of method and path, such as `getThingsById`. */
export function withIds(document: Values): Values {
  const paths = isObject(document.paths) ? document.paths : {}
  const taken = new Set(idsIn(paths))
  const made = Object.entries(paths).map(([path, item]): [string, unknown] => {
    if (!isObject(item)) return [path, item]
    const members = Object.entries(item).map(([name, held]): [string, unknown] => {
      const isNameless =
        (METHODS as readonly string[]).includes(name) && isObject(held) && held.operationId === undefined
      return [name, isNameless ? { operationId: freeId(idOf(name, path), taken), ...held } : held]
    })
    return [path, Object.fromEntries(members)]
  })
  return { ...document, paths: Object.fromEntries(made) }
}

function idsIn(paths: Values): string[] {
  return Object.values(paths).flatMap((item) =>
    METHODS.flatMap((method) => {
      const held = isObject(item) ? item[method] : undefined
      return isObject(held) && typeof held.operationId === 'string' ? [held.operationId] : []
    }),
  )
}

/** `get` and `/things/{id}/parts` are `getThingsByIdParts`. */
function idOf(method: string, path: string): string {
  const words = path.replaceAll(/\{([^{}]*)\}/g, ' by $1 ').match(/[\p{L}\p{N}]+/gu) ?? []
  return [method, ...words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)].join('')
}

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted}${number}`
  taken.add(id)
  return id
}
