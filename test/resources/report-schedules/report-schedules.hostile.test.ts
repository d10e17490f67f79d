import { expect, test } from 'vitest'
import { createTester, SCHEDULES, weekly } from '../../support/tester.ts'
import { overWire } from '../../support/wire.ts'
import { sample } from '../../support/cases.ts'

/** JSON texts of values that no member accepts, or that are at the limits of a parser. */
const oddities = [
  ...[
    'null',
    'true',
    '""',
    '" "',
    '"8"',
    '[]',
    '[[]]',
    '[null]',
    '{}',
    '{"__proto__":null}',
    '-0',
    '8.5',
    '1e3',
    '1e400',
  ],
  ...['-1e400', '1e-400', '9007199254740993', '9223372036854775808', '-9223372036854775809', '9'.repeat(400)],
  ...['"\\ud800"', '"\\u0000"', '"__proto__"', '"constructor"', '"\\u202e"', `"${'x'.repeat(70_000)}"`],
  ...[
    '{"length":3}',
    '{"toString":1}',
    '{"type":"EMAIL"}',
    '[{"type":"USER","value":1e400}]',
    '[{"type":[],"value":{}}]',
  ],
]

const settings = [
  'frequency',
  'daysToRun',
  'hourOfDay',
  'minOfHour',
  'timezone',
  'enabled',
  'additionalRecipients',
  'nextRunDate',
]

const places = [
  'title',
  'pageId',
  'viewId',
  'attachmentInclude',
  'schedule',
  'id',
  '__proto__',
  'toString',
  ...settings,
]

/** A complete body whose member `name` is a JSON text; the members of a schedule go there. */
function bodyWith(name: string, text: string): string {
  const member = `,${JSON.stringify(name)}:${text}}`
  const whole = JSON.stringify(weekly())
  return settings.includes(name) ? whole.replace('}', member) : whole.slice(0, -1) + member
}

test.each([
  ['as it is', {}],
  [
    'lenient',
    {
      'body.types': 'coerce',
      'body.ids': 'accept',
      'create.required': '/title',
      'frequency.values': 'WEEKLY,MONTHLY,DAILY',
      'days.weekly': 'list',
      'days.monthly': 'list',
      'next-run.disabled': 'computed',
      'recipient.email': 'none',
      'recipient.duplicates': 'dedupe',
      'response.recipients': 'yes',
      'create.response': 'full',
      'update.response': 'full',
      'update.omitted': 'clear',
      'update.schedule': 'deep-merge',
      'update.unknown-id': 'create',
      'zone.invalid': 'utc',
      'zone.short': 'any',
    },
  ],
  ['document-only', { profile: 'document-only' }],
])(
  'no value in any place of a body is a defect of ours: %s',
  async (_name, { profile, ...behaviours }: Record<string, string>) => {
    await overWire({ behaviours, ...(profile === undefined ? {} : { profile }) }, async ({ create, update }) => {
      for (const [at, name] of places.entries()) {
        const answers = sample(oddities, 10, at).map(async (text) => {
          const body = bodyWith(name, text)
          for (const response of [await create(body), await update(1, body), await update(99, `{"${name}":${text}}`)]) {
            expect(response.status, `${name}: ${text.slice(0, 80)}: ${response.text}`).toBeLessThan(500)
          }
        })
        await Promise.all(answers)
      }
    })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  },
)

test.each([
  ['deep arrays that never end', '['.repeat(500_000)],
  ['deep objects that never end', '{"a":'.repeat(100_000)],
  ['a long integer deep within', `${'['.repeat(200_000)}12345678901234567890${']'.repeat(200_000)}`],
  ['depth after more ends than beginnings', ']'.repeat(200_000) + '['.repeat(200_000)],
  ['depth after a string that is broken off', `"\n${'['.repeat(500_000)}`],
  ['depth within a value that is one level too deep', `{"title":${'['.repeat(32)}${']'.repeat(32)}}`],
])('%s is refused with 400', async (_name, body) => {
  const { create, update } = createTester()
  for (const response of [await create(body), await update(1, body)]) {
    expect(response.status).toBe(400)
    expect(response.body).toHaveProperty('type', '/problems/json-invalid')
  }
})

test('brackets within texts are no depth', async () => {
  const { create } = createTester()
  for (const title of ['['.repeat(100), '"['.repeat(50), '\\"{'.repeat(50), '\\']) {
    const response = await create(weekly({ title }))
    expect(response.body).toHaveProperty('title', title)
  }
})

test.each([
  ...[
    '%00',
    '1e3',
    '+1',
    '1.0',
    '0x1',
    ' 1',
    '1 ',
    '%2B1',
    '1%2F',
    '١',
    '-',
    '.',
    '..',
    '__proto__',
    'null',
    '9'.repeat(4000),
  ],
  ...['%', '%zz', '%ff', '%ED%A0%80'],
])('the scheduleId %j is refused with 400', async (id) => {
  const response = await createTester().update(encodeURI(id).replaceAll('%25', '%'), {})
  expect(response.status, response.text).toBe(400)
})

test('an empty scheduleId is an unknown path', async () => {
  expect((await createTester().update('', {})).status).toBe(404)
})

test('a title of lone surrogates comes back as it was sent', async () => {
  const { create, update } = createTester()
  const title = '\ud83d half \udcc8'
  const created = await create(JSON.stringify(weekly({ title })))
  expect(created.body).toHaveProperty('title', title)
  expect(created.text).toContain(String.raw`\ud83d half \udcc8`)
  expect((await update(7, {})).body).toHaveProperty('title', title)
})

test('a body is harmless whatever its members are called', async () => {
  const { create, request } = createTester()
  const parts =
    '"title":"a","pageId":1,"viewId":2,"schedule":{"frequency":"WEEKLY","daysToRun":"MON","hourOfDay":8,"minOfHour":0'
  const evil = '"__proto__":{"polluted":true,"title":"stolen"},"constructor":{"prototype":{"polluted":true}}'
  const response = await create(`{${evil},${parts},${evil}}}`)
  expect(response.status).toBe(200)
  expect(response.body).toHaveProperty('title', 'a')
  expect(response.headers['x-mock-ignored']).toBe(
    'body /__proto__, body /constructor, body /schedule/__proto__, body /schedule/constructor',
  )
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect((await request().put(`${SCHEDULES}/7`).send('{}')).status).toBe(401)
})
