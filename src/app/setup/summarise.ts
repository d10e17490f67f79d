import type { Assembled } from './assemble.ts'
import { counted } from '../../errors/wording.ts'
import { describeKinds } from '../binding/describe-bindings.ts'
import { isObject } from '../../formats/json.ts'
import { shown } from '../../errors/problem.ts'

/** What was loaded, for people: `3 operations, 3 file sets, 1,136 files, …`. */
export function summarise(assembled: Assembled): string {
  const { app, config } = assembled
  const { contract, bindings, sandboxes } = app
  const { seed, contract: own, profile, behaviours } = config
  const { fileSets, reportSchedules, collections } = sandboxes.default.state
  const files = [...fileSets.values()].reduce((sum, { entries }) => sum + entries.fileCount, 0)
  const documents = [...collections.values()].reduce((sum, { size }) => sum + size, 0)
  return [
    `${counted(contract.operations.length, 'operation')}${own === undefined ? '' : ` of ${own}`}${describeKinds(bindings)}`,
    // What generated answers need is compiled when the first of them is asked for.
    contract.validators === 0 ? 'validators made on first use' : counted(contract.validators, 'validator'),
    ...(isServed(['searchFiles'], 'fileSets', assembled)
      ? [counted(fileSets.size, 'file set'), counted(String(files).replaceAll(/\B(?=(?:\d{3})+$)/g, ','), 'file')]
      : []),
    ...(isServed(['createReportSchedule', 'updateReportSchedule'], 'reportSchedules', assembled)
      ? [counted(reportSchedules.size, 'report schedule')]
      : []),
    ...(documents === 0 ? [] : [`${counted(documents, 'document')} in ${counted(collections.size, 'collection')}`]),
    `seed ${seed}`,
    ...(profile === 'default' ? [] : [`profile ${profile}`]),
    ...behaviours.map(({ id, value }) => `${id} ${typeof value === 'string' ? value : shown(value)}`),
  ].join(', ')
}

/**
 * Whether requests can meet a part of the state: a stateful operation works on it, or handlers of the user's own may, on fixtures that
 * they were given.
 *
 * @param names of the stateful operations on it
 * @param member of a fixture that has such things
 */
function isServed(names: readonly string[], member: string, { app, ownFixtures }: Assembled): boolean {
  const bindings = [...app.bindings.values()]
  if (bindings.some((one) => one.kind === 'stateful' && names.includes(one.handlerKind))) return true
  const isGiven = ownFixtures.some(({ value }) => isObject(value) && value[member] !== undefined)
  return isGiven && bindings.some(({ kind }) => kind === 'own')
}
