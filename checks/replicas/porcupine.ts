import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CLOCK } from './cluster.ts'
import { countOf, type HistoryEvent, isRead, itemsOf, type Operation, startOf } from './witness.ts'

const CHECKER = resolve('checks/replicas/porcupine/bin/check')

/** Whether `scripts/install-porcupine.sh` was run. */
export const HAS_PORCUPINE = existsSync(CHECKER)

/**
 * A history as Porcupine reads it. Operations that surely did not happen are not in it, nor reads whose response was lost: they changed nothing.
 *
 * @param before the events that there were before it
 * @param faults how many reads of an item a fault strikes, of all events
 */
export function writeHistory(
  operations: readonly Operation[],
  before: readonly HistoryEvent[],
  faults: number,
): string {
  const kept = operations.filter((one) => one.status !== 0 || (one.isRefused !== true && !isRead(one)))
  return JSON.stringify({
    initial: { ...startOf(before), faults: Math.max(0, faults - countOf(before, 'fault.struck')) },
    operations: kept.map(({ began, ended, body, page, demanded, client, kind, id = 0, name = '', status }) => ({
      ...{ client, kind, id, name, status, ...page },
      ...(demanded ? { demanded: { id: demanded.id, name: demanded.name } } : {}),
      began: Math.round(began * 1000),
      ended: Math.round(ended * 1000),
      items: kind === 'advance' || kind === 'clock' ? [] : itemsOf(body),
      clock: clockOf(body),
    })),
  })
}

function clockOf(body: unknown): number {
  const { now } = (body ?? {}) as { now?: string }
  return now === undefined ? 0 : (Date.parse(now) - Date.parse(CLOCK)) / 1000
}

/** What Porcupine says of each history: `Ok`, `Illegal`, or `Unknown` where a minute was too short. */
export function checkHistories(histories: readonly string[]): readonly string[] {
  const input = histories.map((one) => `${one}\n`).join('')
  const { stdout, stderr, status } = spawnSync(CHECKER, { input, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`Porcupine ended with ${String(status)}: ${stderr}`)
  return stdout.trim().split('\n')
}
