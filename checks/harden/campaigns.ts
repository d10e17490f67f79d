import type { Campaign } from './campaign.ts'

/** By the name that `--only` takes, in the order of a full run. */
export const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  paging: {
    about:
      'Random searches of random file sets (0 to 300 entries, every sort, limits 1 to 7): the pages joined together are one big page, and that is what a naive search finds.',
    cases: 10_000,
    casesPerRound: 10,
    load: () => import('./campaigns/paging.ts'),
  },
  walks: {
    about:
      'Files are inserted, deleted and renamed while a search is walked page by page: what is in the result throughout appears exactly once, directories included, and nothing appears that is not there.',
    cases: 5000,
    load: () => import('./campaigns/walks.ts'),
  },
  commands: {
    about:
      'Random searches, creates and updates, a quarter of them wrong, while files change and time passes: every response is that of a model made of a list and a map.',
    cases: 100_000,
    casesPerRound: 100,
    load: () => import('./campaigns/commands.ts'),
  },
  'parallel-puts': {
    about:
      '64 parallel PUTs of parts of one schedule: the history has each once, each response is the state after the PUTs before it, and the final state is that of the last one.',
    cases: 1000,
    load: () => import('./campaigns/parallel-puts.ts'),
  },
  refusals: {
    about:
      'Wild requests to service and control API, one after the other: after each that is refused, state, history, checkpoints, sandboxes and the next id are as they were.',
    cases: 50_000,
    casesPerRound: 50,
    load: () => import('./campaigns/refusals.ts'),
  },
  fuzz: {
    about:
      'Fuzzed requests to service and control API, half of them malformed, over 16 connections: no 5xx, no crash, no defect, nothing on the standard error, and the heap in use stays flat.',
    cases: 1_000_000,
    casesPerRound: 1000,
    // The other processor is for the server.
    workers: 1,
    load: () => import('./campaigns/fuzz.ts'),
  },
  kills: {
    about:
      'A server with `--data` is killed at random moments while four clients work: after each start everything that was acknowledged is there, and of the requests under way all or nothing.',
    cases: 200,
    casesPerRound: 10,
    load: () => import('./campaigns/kills.ts'),
  },
  'power-losses': {
    about:
      'A server with `--data --fsync` on a disk that loses what was not synced, bytes of files and names in directories, at random moments while four clients work: after each start everything that was acknowledged is there.',
    cases: 50,
    casesPerRound: 10,
    load: () => import('./campaigns/power-losses.ts'),
  },
  'upstream-kills': {
    about:
      'Requests through `standin proxy` while the service behind it is killed at random moments: each ends whole, with a 502 or 504 that says why, or broken off with the reason in the log; none hangs, and the proxy goes on.',
    cases: 1000,
    casesPerRound: 1000,
    load: () => import('./campaigns/upstream-kills.ts'),
  },
  'full-disks': {
    about:
      'The same on a small disk that is full now and then, killed or stopped: what is refused for want of room changes nothing, and everything that was acknowledged is there after each start.',
    cases: 50,
    casesPerRound: 10,
    load: () => import('./campaigns/full-disks.ts'),
  },
  replays: {
    about:
      'Searches, creates and updates while any two kinds of fault strike: the run replays the same, and its journal holds the bytes that the client received.',
    cases: 2000,
    casesPerRound: 10,
    load: () => import('./campaigns/replays.ts'),
  },
  calendar: {
    about:
      '20 years (2010 to 2029) of four WEEKLY and four MONTHLY schedules in every time zone, most of them at its clock changes, in steps of random length: no run twice and none lost, and every `nextRunDate` right, by the wall clock of the zone as Intl shows it.',
    cases: Intl.supportedValuesOf('timeZone').length,
    load: () => import('./campaigns/calendar.ts'),
  },
  bytes: {
    about:
      'The same requests, wild ones too, to servers on Node 24 and 26 under three settings of TZ and LANG: the same bytes in every response.',
    cases: 5000,
    casesPerRound: 50,
    workers: 1,
    load: () => import('./campaigns/bytes.ts'),
  },
}
