import type { ExplainRequest } from '../../types/control-api.d.ts'
import { type ControlRoute, ok } from '../engine/control-route.ts'
import { isSteps } from '../engine/slices.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import { violation } from '../base/errors/problem.ts'
import { isObject } from '../base/formats/json.ts'
import { momentBefore } from '../journal/journal-routes.ts'
import type { ResourceNeeds } from '../resources/dry-run.ts'
import type { Resource } from '../resources/resource.ts'

/** Explains what one member of the body asks for; the resources bring the explanations. */
export function createExplainRoute(resources: readonly Resource[]): ControlRoute<ResourceNeeds> {
  const explanations = new Map(resources.flatMap((one) => Object.entries(one.explanations ?? {})))
  const choices = [...explanations].map(([name, { optional = [] }]) =>
    [name, ...optional.map((other) => `and perhaps ${other}`)].join(', '),
  )
  const find = (body: object) => {
    const names = Object.keys(body)
    const [name = '', ...others] = names.toSorted((a, b) => Number(explanations.has(b)) - Number(explanations.has(a)))
    const explanation = explanations.get(name)
    if (explanation && others.every((other) => explanation.optional?.includes(other))) return explanation
    throw requestInvalid([violation({ pointer: '' }, 'explain', `either ${choices.join(', or ')}`, body)])
  }
  return {
    isReadOnly: true,
    precheck(body) {
      if (!isObject(body) || Object.keys(body).some((name) => explanations.has(name))) return
      for (const explanation of explanations.values()) explanation.refuseBare?.(body)
    },
    *handle(call) {
      const { before, ...body } = call.body as ExplainRequest
      const explanation = find(body)
      const present = call.sandbox()
      const moment = before === undefined ? undefined : momentBefore(present, before)
      const sandbox = moment ? yield* call.sandboxes.readAt({ from: present.name, ...moment }) : present
      const work = explanation.explain(body as never, { ...call, sandbox: () => sandbox })
      return ok(isSteps(work) ? yield* work : work)
    },
  }
}
