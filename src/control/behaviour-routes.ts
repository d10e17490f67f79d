import { formatOverride, type Overrides } from '../behaviours/behaviours.ts'
import { namedBy, OF_BODIES, OF_KEYS } from '../behaviours/behaviours-met.ts'
import { type ControlHandler, type ControlRoutes, ok } from '../engine/control-route.ts'
import type { ControlNeeds } from './control-needs.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import { readOverrides } from '../engine/state-model.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import { violation } from '../base/errors/problem.ts'
import type { Resource } from '../resources/resource.ts'
import type { BehaviourRecord, BehavioursDocument } from './client/types.ts'

const getBehaviours: ControlHandler<ControlNeeds> = (call) => {
  const shown = showBehaviours(call.sandbox(), call)
  const words = String(call.query.search ?? '')
    .toLowerCase()
    .split(/\s+/)
  const isMeant = ({ id, question, answer }: BehaviourRecord) => {
    const text = `${id} ${question} ${answer}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return ok({ ...shown, behaviours: shown.behaviours.filter(isMeant) })
}

/** Replaces all overrides of the sandbox; `{}` clears them. */
const putBehaviours: ControlHandler<ControlNeeds> = (call) => {
  const overrides = readOverrides(call, call.body as Overrides, '')
  refuseInitialBehaviours(overrides, call.resources)
  const sandbox = call.sandbox()
  // Runs that are due happen under the previous settings.
  sandbox.now()
  sandbox.commit([{ type: 'behaviours.changed', overrides }])
  return ok(showBehaviours(sandbox, call))
}

/** @throws Problem 400 for behaviours that only the initial state depends on */
function refuseInitialBehaviours(overrides: Overrides, resources: readonly Resource[]): void {
  const remedies = new Map(resources.flatMap((one) => Object.entries(one.initialBehaviours ?? {})))
  const violations = Object.entries(overrides).flatMap(([id, value]) => {
    const remedy = remedies.get(id)
    if (remedy === undefined) return []
    const message = `${id} has no effect on a sandbox that exists. ${remedy}, or start with ${formatOverride(id, value)}.`
    return [
      { ...violation({ pointer: `/${id}` }, 'behaviour', 'a behaviour that a sandbox can change', value), message },
    ]
  })
  if (violations.length > 0) throw requestInvalid(violations)
}

function showBehaviours(
  { behaviours: { profile, settings, catalog }, state }: Sandbox,
  { operations, resources }: Pick<ControlNeeds, 'operations' | 'resources'>,
): BehavioursDocument {
  const held: Readonly<Record<string, unknown>> = { ...settings }
  const met = namedBy(operations.flatMap(({ dependsOn }) => dependsOn))
  // Every operation meets what is about no resource, body or key.
  const isSpecific = namedBy([
    ...resources.flatMap((one) => [one, ...one.operations].flatMap(({ dependsOn = [] }) => dependsOn)),
    ...OF_BODIES,
    ...OF_KEYS,
  ])
  return {
    profile,
    overrides: state.overrides,
    behaviours: catalog.behaviours.map(({ id, section, question, answer, options, alternatives, ...one }) => ({
      id,
      section,
      question,
      answer,
      setting: held[id],
      applies: met(id) || !isSpecific(id),
      default: one.default,
      ...(options === undefined ? {} : { options }),
      ...(alternatives === undefined ? {} : { alternatives }),
      basis: one.basis,
      reason: one.reason,
    })),
  }
}

export const behaviourRoutes: ControlRoutes<ControlNeeds> = { getBehaviours, putBehaviours }
