import { asObject, isObject, type Members } from '../base/formats/json.ts'
import type { Contract, Operation } from './contract.ts'
import { isOtherMethod } from './load/document-structure.ts'

/**
 * The contract as clients may load it: its document, with this server in place of the servers that it names, so that a tool which reads
 * it calls the stand-in. Base paths stay: `https://api.example.com/v2` becomes `http://127.0.0.1:4010/v2`.
 *
 * @param address where the app is served, without a trailing slash
 */
export function servedDocument({ document, operations }: Pick<Contract, 'document' | 'operations'>, address: string) {
  const usual = operations[0]?.basePath ?? ''
  const byPath = Map.groupBy(operations, ({ path }) => path)
  const paths = Object.entries(asObject(document.paths)).map(([path, item]) => [
    path,
    isObject(item) ? withoutServers(item, { usual, address, operations: byPath.get(path) ?? [] }) : item,
  ])
  const { openapi, info, ...rest } = document
  const served: Members = {
    openapi,
    info,
    ...rest,
    servers: [{ url: `${address}${usual}`, description: 'The stand-in that serves this document.' }],
    paths: Object.fromEntries(paths) as Members,
  }
  return served
}

interface ServerAddress {
  /** The base path of the servers of the whole document. */
  readonly usual: string
  readonly address: string
  readonly operations: readonly Operation[]
}

/** A path item whose operations name servers of their own only where their base path differs from that of the document. */
function withoutServers(
  { servers: _servers, ...item }: Members,
  { usual, address, operations }: ServerAddress,
): Members {
  const changed = operations.flatMap(({ method, basePath }) => {
    const name = method.toLowerCase()
    const held = item[name]
    if (!isObject(held) || (basePath === usual && held.servers === undefined)) return []
    const { servers: _own, ...operation } = held
    return [[name, basePath === usual ? operation : { ...operation, servers: [{ url: `${address}${basePath}` }] }]]
  })
  return withoutOthers({ ...item, ...(Object.fromEntries(changed) as Members) })
}

/** Operations of other methods stand where OpenAPI 3.2 has them. */
function withoutOthers(item: Members): Members {
  const others = Object.entries(item).filter(([name]) => isOtherMethod(name))
  if (others.length === 0) return item
  const rest = Object.entries(item).filter(([name]) => !isOtherMethod(name))
  const upper = others.map(([method, operation]) => [method.toUpperCase(), operation])
  return { ...Object.fromEntries(rest), additionalOperations: Object.fromEntries(upper) as Members }
}
