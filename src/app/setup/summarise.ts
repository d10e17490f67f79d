import type { Assembled } from './assemble.ts'
import { counted } from '../../errors/wording.ts'
import { describeKinds } from '../binding/describe-bindings.ts'
import { isObject } from '../../formats/json.ts'
import { shown } from '../../errors/problem.ts'

/** What was loaded, in one line: `3 operations, 3 file sets, 1,136 files, …`. */
export function summarise(assembled: Assembled): string {
  const { app, config } = assembled
  const { contract, bindings, sandboxes } = app
  const { seed, contract: own, profile, behaviours } = config
  const { fileSets, reportSchedules, collections } = sandboxes.default.state
  const files = [...fileSets.values()].reduce((sum, { entries }) => sum + entries.fileCount, 0)
  const documents = [...collections.values()].reduce((sum, { size }) => sum + size, 0)
  return [
    `${counted(contract.operations.length, 'operation')}${own === undefined ? '' : ` of ${own}`}${describeKinds(bindings)}`,
    // The validators of generated responses are compiled with the first of them.
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
 * Whether requests can reach a part of the state: by a built-in operation, or by the user's own handlers when the user's fixtures fill it.
 *
 * @param kinds of the built-in operations on it
 * @param member of fixtures that fills it
 */
function isServed(kinds: readonly string[], member: string, { app, ownFixtures }: Assembled): boolean {
  const bindings = [...app.bindings.values()]
  if (bindings.some((one) => one.kind === 'stateful' && kinds.includes(one.handlerKind))) return true
  const isGiven = ownFixtures.some(({ value }) => isObject(value) && value[member] !== undefined)
  return isGiven && bindings.some(({ kind }) => kind === 'own')
}
