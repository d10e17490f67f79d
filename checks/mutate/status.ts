// A contract of one operation, whose response has forty values.

const area = (seed: number) => ({
  name: `area-${seed}`,
  state: 'up' as 'up' | 'down' | 'slow',
  since: '2026-03-05T14:30:00Z',
  load: seed + 0.5,
  errors: seed,
  isLocked: false,
  owner: `owner-${seed}@example.com`,
  region: 'eu-west',
  version: `1.${seed}.0`,
  address: `https://area-${seed}.example.com`,
  queue: 10 + seed,
  retries: 3,
  isPrimary: true,
  note: `note ${seed}`,
  code: `A${seed}B`,
  ticket: 1000 + seed,
  day: '2026-03-05',
  budget: 99,
  currency: 'EUR',
  contact: `contact ${seed}`,
})

export const STATUS = { summary: area(1), areas: [area(2), area(3)] }

export type Area = ReturnType<typeof area>

/** What the test looks at, in the summary and in each area. */
export const LOOKED_AT: readonly (keyof Area)[] = [
  'name',
  'state',
  'load',
  'isLocked',
  'region',
  'address',
  'retries',
  'note',
  'ticket',
  'budget',
]

const typeOf = (value: unknown) =>
  value === 'up' ? { enum: ['up', 'down', 'slow'] } : { type: typeof value === 'number' ? 'number' : typeof value }

const properties = Object.fromEntries(Object.entries(STATUS.summary).map(([name, value]) => [name, typeOf(value)]))
const schema = { type: 'object', required: Object.keys(properties), properties }

export const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Status', version: '1' },
  paths: {
    '/status': {
      get: {
        operationId: 'getStatus',
        responses: {
          200: {
            description: 'How the service is.',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['summary', 'areas'],
                  properties: { summary: schema, areas: { type: 'array', items: schema } },
                },
                example: STATUS,
              },
            },
          },
        },
      },
    },
  },
}
