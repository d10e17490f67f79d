import type { Contract } from '../contract/contract.ts'
import { coverageRoutes } from '../journal/coverage/coverage-routes.ts'
import { type ControlRoute, type ControlRoutes, ok } from '../engine/control-route.ts'
import { faultRoutes } from '../engine/faults/fault-routes.ts'
import { journalRoutes } from '../journal/journal-routes.ts'
import type { Resource } from '../resources/resource.ts'
import { behaviourRoutes } from './behaviour-routes.ts'
import { clockRoutes } from './clock-routes.ts'
import type { ControlNeeds } from './control-needs.ts'
import { createContractRoutes } from './contract-routes.ts'
import { createExplainRoute } from './explain-route.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { stateRoutes } from './state-routes.ts'
import { streamRoutes } from './stream-routes.ts'
import { stubRoutes } from './stub-routes.ts'
import { upstreamRoutes } from './upstream-routes.ts'

const serverRoutes: ControlRoutes<ControlNeeds> = {
  getHealth: ({ health }) => ({ status: health.status === 'ready' ? 200 : 503, body: health }),
  *getInfo({ info }) {
    return ok(yield* info())
  },
}

/**
 * The handler of each operation of `spec/control.openapi.yaml`, and of those that resources add, by operationId.
 *
 * @throws Error for a handler without an operation, and an operation without a handler
 */
export function collectRoutes(
  contract: Pick<Contract, 'operations' | 'document'>,
  resources: readonly Resource[],
): ReadonlyMap<string, ControlRoute<ControlNeeds>> {
  const parts: readonly ControlRoutes<ControlNeeds>[] = [
    serverRoutes,
    createContractRoutes(contract),
    behaviourRoutes,
    upstreamRoutes,
    sandboxRoutes,
    stateRoutes,
    clockRoutes,
    journalRoutes,
    coverageRoutes,
    faultRoutes,
    stubRoutes,
    streamRoutes,
    { explain: createExplainRoute(resources) },
    ...resources.map(({ controlRoutes = {} }) => controlRoutes),
  ]
  const routes = new Map(
    parts
      .flatMap((part) => Object.entries(part))
      .map(([operationId, route]) => [operationId, typeof route === 'function' ? { handle: route } : route] as const),
  )
  const described = new Set(contract.operations.map(({ operationId }) => operationId))
  const wrong = [...described.symmetricDifference(routes)]
  if (wrong.length > 0)
    throw new Error(`spec/control.openapi.yaml and the control routes do not both have ${wrong.join(', ')}`)
  return routes
}
