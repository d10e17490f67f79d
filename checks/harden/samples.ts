import { SCHEDULES, SEARCH, weekly } from '../../test/support/tester.ts'

/** A request that is right, from which wild ones are made. */
export interface Sample {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** The sandbox that it names by a header; one of a few when absent. */
  readonly sandbox?: string
}

const search = (query: string, body: unknown, set = 'demo'): Sample => ({
  method: 'POST',
  path: `${SEARCH}/${set}/files/search${query}`,
  body,
})

export const SERVICE: readonly Sample[] = [
  search('?limit=10', {}),
  search('?limit=5&directoryPath=finance&immediateChildren=true', {}),
  search('?limit=20', { fieldSort: [{ field: 'size', order: 'DESC' }] }),
  search('?limit=3', { filters: [{ field: 'name', operator: 'LIKE', value: ['a%b', '_x'], not: true }] }, 'awkward'),
  search('', {
    fieldSort: [
      { field: 'created', order: 'DESC' },
      { field: 'name', order: 'ASC' },
    ],
    filters: [
      { field: 'size', operator: 'GREATER_THAN', value: ['1000'] },
      { field: 'fileType', operator: 'IN', value: ['TEXT', 'IMAGE'] },
    ],
    dateFilters: [{ field: 'created', start: '2026-01-01T00:00:00.000Z', end: null, not: false }],
  }),
  search('?limit=1&next=AAAA', {}),
  { method: 'POST', path: SCHEDULES, body: weekly() },
  {
    method: 'POST',
    path: SCHEDULES,
    body: weekly(
      {},
      { frequency: 'MONTHLY', daysToRun: '31', additionalRecipients: [{ type: 'EMAIL', value: 'a@example.com' }] },
    ),
  },
  { method: 'PUT', path: `${SCHEDULES}/3`, body: { title: 'Changed', pageId: 5 } },
  { method: 'PUT', path: `${SCHEDULES}/7`, body: weekly({}, { timezone: 'Europe/Paris', enabled: false }) },
  { method: 'OPTIONS', path: SCHEDULES },
]

const FILE = { path: 'new/a.txt', size: 5, created: '2026-01-01T00:00:00.000Z', createdBy: 3, connectorKey: null }
const MATCH = { operationId: 'searchFiles', method: 'POST', status: 200 }
/** Faults strike the requests of their sandbox, so they are armed in one that takes no others. */
const FAULTY = 'faulty'

// Every operation of the control API but the stream, which does not end.
const READING: readonly Sample[] = [
  ...['/health', '/info', '/behaviours', '/sandboxes', '/sandboxes/default', '/state', '/checkpoints', '/clock'],
  ...[
    '/report-schedules',
    '/report-schedules/1',
    '/report-schedules/1/runs?limit=5',
    '/deliveries?limit=5',
    '/metrics',
  ],
  ...['/journal?limit=3&method=POST', '/journal/1', '/journal.har?status=400', '/file-sets', '/file-sets/demo'],
  ...['/file-sets/demo/files?limit=2&offset=1', '/file-sets/demo/files/x', '/faults', '/faults/lost'],
  ...['/history?from=0&limit=5', '/replay'],
].map((path) => ({ method: 'GET', path: `/__mock${path}` }))

const CHANGING: readonly Sample[] = [
  { method: 'PUT', path: '/behaviours', body: { 'page.last': 'null', 'limit.max': 'error:500' } },
  { method: 'POST', path: '/sandboxes', body: { name: 'made', from: 'default', seed: 7 } },
  { method: 'DELETE', path: '/sandboxes/made' },
  { method: 'POST', path: '/sandboxes/default/fork', body: { name: 'fork', seed: 1 } },
  { method: 'POST', path: '/reset' },
  { method: 'POST', path: '/checkpoints', body: { name: 'c' } },
  { method: 'POST', path: '/checkpoints/c/restore' },
  { method: 'DELETE', path: '/checkpoints/c' },
  { method: 'PUT', path: '/clock', body: { mode: 'running', now: '2026-03-05T14:30:00Z', rate: 60 } },
  { method: 'PUT', path: '/clock', body: { mode: 'frozen', now: 'machine' } },
  { method: 'POST', path: '/clock/advance', body: { by: 'P14D' } },
  { method: 'POST', path: '/clock/advance', body: { toNextRun: true } },
  { method: 'DELETE', path: '/report-schedules/2' },
  { method: 'DELETE', path: '/deliveries?recipientType=EMAIL' },
  { method: 'DELETE', path: '/journal' },
  {
    method: 'POST',
    path: '/journal/verify',
    body: { expectations: [{ match: MATCH, exactly: 1 }, { walkedEveryPageOnce: true }, { backedOffAtLeast: 2 }] },
  },
  { method: 'POST', path: '/file-sets', body: { id: 'made', files: [FILE, { path: 'd', fileType: 'DIRECTORY' }] } },
  { method: 'DELETE', path: '/file-sets/made' },
  { method: 'POST', path: '/file-sets/demo/files', body: { files: [FILE] } },
  { method: 'PATCH', path: '/file-sets/demo/files/x', body: { path: 'moved/b.txt', size: 6 } },
  { method: 'DELETE', path: '/file-sets/demo/files/x' },
  {
    method: 'POST',
    path: '/explain',
    body: {
      search: { fileSetId: 'demo', query: { limit: 3 }, body: { fieldSort: [{ field: 'name', order: 'ASC' }] } },
      file: { path: 'finance' },
    },
  },
  { method: 'POST', path: '/explain', body: { schedule: { id: 1 } } },
  { method: 'POST', path: '/explain', body: { schedule: { info: weekly() } } },
  {
    method: 'POST',
    path: '/faults',
    sandbox: FAULTY,
    body: { id: 'lost', kind: 'lost-answer', match: MATCH, times: 1 },
  },
  { method: 'POST', path: '/faults', sandbox: FAULTY, body: { kind: 'status', status: 503, chance: 0.5 } },
  { method: 'POST', path: '/faults', sandbox: FAULTY, body: { preset: 'flaky-network' } },
  { method: 'DELETE', path: '/faults', sandbox: FAULTY },
  { method: 'DELETE', path: '/faults/lost', sandbox: FAULTY },
].map(({ path, ...rest }) => ({ path: `/__mock${path}`, ...rest }))

export const CONTROL: readonly Sample[] = [...READING, ...CHANGING]
