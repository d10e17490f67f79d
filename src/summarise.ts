import type { Assembled } from './assemble-house.ts'
import { describeKinds } from './describe-bindings.ts'
import { shown } from './problem.ts'

/** What was loaded, for people: `3 operations, 3 file sets, 1,136 files, …`. */
export function summarise({ house, config }: Assembled): string {
  const { contract, bindings, sandboxes } = house
  const { seed, contract: own, profile, behaviours } = config
  const { fileSets, reportSchedules } = sandboxes.default.world
  const files = [...fileSets.values()].reduce((sum, { entries }) => sum + entries.fileCount, 0)
  return [
    `${contract.operations.length} operations${own === undefined ? '' : ` of ${own}`}${describeKinds(bindings)}`,
    `${contract.validators} validators`,
    `${fileSets.size} file sets`,
    `${String(files).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')} files`,
    `${reportSchedules.size} report schedules`,
    `seed ${seed}`,
    ...(profile === 'default' ? [] : [`profile ${profile}`]),
    ...behaviours.map(({ id, value }) => `${id} ${typeof value === 'string' ? value : shown(value)}`),
  ].join(', ')
}
