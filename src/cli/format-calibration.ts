import { isDeepStrictEqual } from 'node:util'
import type { BehaviourCatalog } from '../behaviours/catalog.ts'
import { type Calibration, WRITES } from '../calibrate/calibrate.ts'
import type { Drift, ProfileDocument } from '../calibrate/profile.ts'
import { counted } from '../errors/wording.ts'

export interface CalibrationReport {
  readonly catalog: BehaviourCatalog
  readonly calibration: Calibration
  readonly document: ProfileDocument
  /** Against the profile that was given. */
  readonly drift: readonly Drift[]
  /** Where the profile was written. */
  readonly file: string
}

/** A calibration as tables: what differs from the default, what is open and which request would settle it, and the totals. */
export function formatCalibration({ catalog, calibration, document, drift, file }: CalibrationReport): string {
  const { exchanges, results, stopped, leftBehind } = calibration
  const defaults = new Map(catalog.behaviours.map((behaviour) => [behaviour.id, behaviour.default]))
  const entries = Object.entries(document.behaviours)
  const others = entries.filter(([id, value]) => !isDeepStrictEqual(defaults.get(id), value))
  const changed = others.map(([id, value]) => [
    id,
    show(value),
    `default ${show(defaults.get(id))}`,
    document.evidence[id]?.certainty ?? '',
  ])
  const open = Object.entries(document.open)
  const writing = open.filter(([, { reason }]) => reason === WRITES)
  const showable = open.filter(([id]) => results.some((one) => one.id === id && one.isAsked))
  return [
    ...section(
      `${counted(drift.length, 'behaviour')} drifted from the profile`,
      drift.map(({ id, was, is }) => [id, `was ${show(was)}`, `is ${show(is)}`]),
    ),
    ...section(
      `${counted(changed.length, 'behaviour')} ${changed.length === 1 ? 'differs' : 'differ'} from the default`,
      changed,
    ),
    ...section(
      `${counted(showable.length, 'behaviour')} open`,
      showable.map(([id, { reason, probe }]) => [id, reason, ...(probe === undefined ? [] : [`send: ${probe}`])]),
    ),
    ...section(
      `${counted(leftBehind.length, 'report schedule')} left behind`,
      leftBehind.map(({ id, isEnabled }) => [id, isEnabled ? 'still enabled: switch it off' : 'disabled']),
    ),
    ...(stopped === undefined ? [] : [`Stopped early: ${stopped}.`, '']),
    `${entries.length} of ${results.length} behaviours settled by ${counted(exchanges.length, 'exchange')}: ${entries.length - others.length} as by default, ${others.length} otherwise.`,
    ...(writing.length === 0 ? [] : [`${writing.length} are asked about with --allow-writes only.`]),
    `${open.length} stay at their defaults; ${file} says why, and holds the evidence. Start with it: standin serve --profile ${file}`,
    '',
  ].join('\n')
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const widths = [0, 1].map((column) => Math.min(MAX_WIDTH, Math.max(...rows.map((row) => row[column]?.length ?? 0))))
  const lines = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  )
  return [`${title}:`, ...lines, '']
}

/** Characters of a column; longer cells push the rest of their line to the right. */
const MAX_WIDTH = 60

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
