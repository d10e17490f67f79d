import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config/config.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { valueAt } from '../../contract/pointer.ts'
import { createRouter, type Route, withHead } from '../../contract/router.ts'
import type { AnswererName } from '../../control/client/types.ts'
import type { Answerers } from '../../control/control-needs.ts'
import { nearest } from '../../base/errors/wording.ts'
import { asList, asObject } from '../../base/formats/json.ts'

/** Who handles each operation, and each request. */
export interface RoutedAnswerers extends Pick<Answerers, 'operations'> {
  of(request: IncomingMessage): AnswererName
  /** Whether a request is for an operation of the contract. */
  knows(request: IncomingMessage): boolean
  /** The names that the contract does not have, a sentence each. */
  readonly complaints: readonly string[]
}

/**
 * Without a choice the service handles all. A request that is for no operation goes where the operations go that are not named.
 *
 * @param changed who handles what, as it was changed since the start
 */
export function createAnswerers(
  { operations, document, file }: Contract,
  { mock, pass, names }: Pick<Config, 'mock' | 'pass' | 'names'>,
  changed: ReadonlyMap<string, AnswererName>,
): RoutedAnswerers {
  const complaints: string[] = []
  const read = (setting: 'mock' | 'pass') =>
    new Set(
      { mock, pass }[setting].flatMap((name) => {
        const named = operations.filter((operation) => namesOf(operation, document).includes(name))
        if (named.length === 0)
          complaints.push(`${names[setting]?.('') ?? setting}: ${notThere(name, operations, document, file)}`)
        return named
      }),
    )
  const [here, there] = [read('mock'), read('pass')]
  const usual: AnswererName = mock.length === 0 && pass.length > 0 ? 'mock' : 'upstream'
  const nameOf = (operation: Operation): AnswererName =>
    changed.get(operation.operationId) ?? (there.has(operation) ? 'upstream' : here.has(operation) ? 'mock' : usual)
  const find = createFinder(operations)
  return {
    complaints,
    get operations() {
      return operations.map((operation) => {
        const { operationId, method, basePath, path } = operation
        return { operationId, method, path: basePath + path, answeredBy: nameOf(operation) }
      })
    },
    knows: (request) => find(request).kind === 'operation',
    of(request) {
      const route = find(request)
      return route.kind === 'operation' ? nameOf(route.operation) : usual
    },
  }
}

/** A preflight goes where the request goes that it asks for, and HEAD where GET does. */
function createFinder(operations: readonly Operation[]): (request: IncomingMessage) => Route {
  const router = withHead(createRouter(operations))
  return ({ method = '', url = '', headers }) => {
    const [path = '', search = ''] = url.split(/\?(.*)/s)
    const asked = method === 'OPTIONS' ? (headers['access-control-request-method'] ?? method) : method
    return router.route(asked, path, 'strict', { search, headers })
  }
}

function namesOf({ operationId, method, path, basePath, pointer }: Operation, document: unknown): readonly string[] {
  const tags = asList(asObject(valueAt(document, pointer)).tags)
  return [operationId, `${method} ${path}`, `${method} ${basePath}${path}`, ...tags.map((tag) => `tag:${String(tag)}`)]
}

function notThere(name: string, operations: readonly Operation[], document: unknown, file: string): string {
  const known = new Set(operations.flatMap((operation) => namesOf(operation, document)))
  const meant = nearest(name, known)
  const hint = meant === undefined ? `It has ${[...known].slice(0, 10).join(', ')}.` : `Did you mean \`${meant}\`?`
  return `${file} has no operation \`${name}\`. ${hint}`
}
