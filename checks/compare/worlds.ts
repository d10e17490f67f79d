import type { StandinOptions } from '../../src/index.ts'

/** What a comparison needs to show a behaviour. */
interface World {
  readonly options?: StandinOptions
  /** Epoch ms that all clocks show. */
  readonly now?: number
  readonly keys?: readonly string[]
}

/** Behaviours whose settings no client of the contract can tell apart. */
export const UNSEEN: Readonly<Record<string, string>> = {
  'page.changes': 'the contract has no operation that changes files between two pages',
  'search.lag': 'the contract has no operation that changes files',
  'file.pending': 'the contract has no operation that adds files',
  'next.expiry': 'shows after the lifetime of a token has passed; a comparison does not wait',
  'next-run.when': 'shows in the one millisecond in which a run is due',
  'next-run.passes': 'shows a minute or more after a create; a comparison does not wait',
  'response.full-type': 'shows where create.response or update.response is full',
  'create.ids': 'ids are matched up, not compared',
}

const FIXTURES = [{ pages: [1], views: [1], users: ['1'], groups: ['1'] }]
const TWO_KEYS = [
  { key: 'first-key', userId: 692_271_929, directories: { demo: ['engineering'] } },
  { key: 'second-key', userId: 388_182_271, directories: { demo: ['legal'] } },
]

/** Without an entry, a start without settings. */
const WORLDS: Readonly<Record<string, World>> = {
  'search.visible': { options: { keys: TWO_KEYS }, keys: ['first-key', 'second-key'] },
  'schedule.owner': { options: { keys: TWO_KEYS }, keys: ['first-key', 'second-key'] },
  'auth.keys': { options: { keys: TWO_KEYS, behaviours: { 'auth.keys': 'any' } } },
  'links.exist': { options: { fixtures: FIXTURES } },
  'recipients.known': { options: { fixtures: FIXTURES } },
  'next-run.gap': { now: Date.parse('2027-03-05T12:00:00Z') },
  'next-run.overlap': { now: Date.parse('2026-10-20T12:00:00Z') },
  'days.short-month': { now: Date.parse('2026-11-23T12:00:00Z') },
}

export function worldOf(id: string): World {
  return WORLDS[id] ?? {}
}
