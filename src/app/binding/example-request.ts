import type { Binding, Bindings } from './binding.ts'
import { keyParts } from '../../contract/template.ts'
import type { SecurityRequirement } from '../../contract/parameters/security.ts'

/** A request to begin with, as a command line: the search where the contract has one, else what can be asked with nothing but a path. */
export function exampleRequest(bindings: Bindings, key: string) {
  const all = [...bindings.values()]
  const search = all.find((binding) => binding.kind === 'stateful' && binding.role === 'searchFiles')
  const answered = all.filter(({ kind }) => kind !== 'refused')
  const simple = answered.find(needsNothing) ?? answered.find(({ operation }) => operation.method === 'GET')
  const chosen = search ?? simple ?? all[0]
  return (url: string): string => {
    if (!chosen) return `curl ${url}`
    const { method, securityRequirements, basePath, path } = chosen.operation
    const { flags, query } = bearing(securityRequirements[0] ?? [], key)
    const literal = keyParts(path).query.map((pair) => pair.join('='))
    const inQuery = [...literal, ...(chosen === search ? ['limit=3'] : []), ...query].join('&')
    const target = quoted(`${url}${basePath}${pathOf(chosen)}${inQuery === '' ? '' : `?${inQuery}`}`)
    const head = ['curl', ...flags].join(' ')
    if (chosen !== search) return `${head}${method === 'GET' ? '' : ` -X ${method}`} ${target}`
    const body = '{"filters":[{"field":"name","operator":"LIKE","value":["budget"]}]}'
    return `${head} -H 'Content-Type: application/json' ${target} -d '${body}'`
  }
}

/** What puts a key in all the places of a way. */
function bearing(
  way: SecurityRequirement,
  key: string,
): { readonly flags: readonly string[]; readonly query: readonly string[] } {
  const flags = way.flatMap(({ in: place, name, word, write }) => {
    if (place === 'query') return []
    if (place === 'cookie') return [`-b ${quoted(`${name}=${key}`)}`]
    if (word === 'Basic') return [`-u ${quoted(key.includes(':') ? key : `${key}:`)}`]
    return [`-H ${quoted(`${name}: ${write(key)}`)}`]
  })
  const query = way.flatMap(({ in: place, name }) =>
    place === 'query' ? [`${encodeURIComponent(name)}=${encodeURIComponent(key)}`] : [],
  )
  return { flags, query }
}

/** As a POSIX shell reads it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Whether a path is all that it takes, and nothing is changed by it. */
function needsNothing({ operation: { method, parameters } }: Binding): boolean {
  return method === 'GET' && parameters.every((parameter) => parameter.in === 'path' || !parameter.required)
}

/** The path with something in the place of each parameter. */
function pathOf(binding: Binding): string {
  const own = binding.kind === 'stateful' ? binding.parameter : undefined
  return keyParts(binding.operation.path).template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    name === own ? 'demo' : '1',
  )
}
