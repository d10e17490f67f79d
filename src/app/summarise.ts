import type { AppInstance } from './app-instance.ts'
import { isPath } from '../config/config.ts'
import { counted } from '../base/errors/wording.ts'
import { describeKinds } from './binding/describe-bindings.ts'
import { isBound } from './binding/binding.ts'
import { isObject } from '../base/formats/json.ts'
import type { Resource } from '../resources/resource.ts'
import { shown } from '../base/errors/problem.ts'

/** What was loaded, in one line: `3 operations, 3 file sets, 1,136 files, …`. */
export function summarise(instance: AppInstance): string {
  const { config, contract, bindings, sandboxes, resources } = instance
  const { seed, contract: own, overlay, profile, behaviours } = config
  const { state } = sandboxes.default
  return [
    `${counted(contract.operations.length, 'operation')}${describeKinds(bindings)}`,
    // The validators of generated responses are compiled with the first of them.
    contract.validators === 0 ? 'validators made on first use' : counted(contract.validators, 'validator'),
    ...resources.flatMap((one) => (isServed(one, instance) ? (one.summarise?.(state) ?? []) : [])),
    ...(isPath(own) ? [`contract ${own}`] : []),
    ...overlay.map((one, index) => `overlay ${typeof one === 'string' ? one : index + 1}`),
    `seed ${seed}`,
    ...(profile === 'default'
      ? []
      : [`profile ${typeof profile === 'string' ? profile : (profile.file ?? 'calibrated')}`]),
    ...behaviours.map(({ id, value }) => `${id} ${typeof value === 'string' ? value : shown(value)}`),
  ].join(', ')
}

/**
 * Whether requests can reach a resource: by its built-in operations, or by the user's own handlers when the user's fixtures fill it. A
 * resource without operations is filled by the user only.
 */
function isServed(resource: Resource, { bindings, ownFixtures }: AppInstance): boolean {
  if (resource.operations.length === 0 || isBound(resource, bindings)) return true
  const [member = ''] = resource.fixtures?.members ?? []
  const isGiven = ownFixtures.some(({ value }) => isObject(value) && value[member] !== undefined)
  return isGiven && [...bindings.values()].some(({ kind }) => kind === 'own')
}
