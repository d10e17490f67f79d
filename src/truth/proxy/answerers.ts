import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config/config.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { findOperations } from '../../contract/operation-names.ts'
import { createRouter, type Route, withHead } from '../../contract/router.ts'
import type { AnswererName } from '../../control/client/types.ts'
import type { Answerers } from '../../control/control-needs.ts'

/** Who handles each operation, and each request. */
export interface RoutedAnswerers extends Pick<Answerers, 'operations'> {
  of(request: IncomingMessage): AnswererName
  nameOf(operationId: string): AnswererName | undefined
  /** The operation of the contract that a request is for. */
  route(request: IncomingMessage): Route
}

/**
 * Without a choice the service handles all. A request that is for no operation goes where the operations go that are not named.
 *
 * @param changed who handles what, as it was changed since the start
 */
export function createAnswerers(
  contract: Contract,
  { mock, pass }: Pick<Config, 'mock' | 'pass'>,
  changed: ReadonlyMap<string, AnswererName>,
): RoutedAnswerers {
  const { operations } = contract
  const [here, there] = [mock, pass].map((names) => findOperations(contract, names).found)
  const usual: AnswererName = mock.length === 0 && pass.length > 0 ? 'mock' : 'upstream'
  const nameOf = (operation: Operation): AnswererName =>
    changed.get(operation.operationId) ?? (there?.has(operation) ? 'upstream' : here?.has(operation) ? 'mock' : usual)
  const find = createFinder(operations)
  const byId = new Map(operations.map((operation) => [operation.operationId, operation]))
  return {
    get operations() {
      return operations.map((operation) => {
        const { operationId, method, basePath, path } = operation
        return { operationId, method, path: basePath + path, answeredBy: nameOf(operation) }
      })
    },
    nameOf(operationId) {
      const operation = byId.get(operationId)
      return operation && nameOf(operation)
    },
    route: find,
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
