import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Response } from 'supertest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { createTester, KEY_HEADER, NOW, rowsOf, SCHEDULES, SEARCH, type Tester, weekly } from '../support/tester.ts'

const tiny = { fileSets: [{ id: 'tiny', files: [{ path: 'a.txt' }] }] }
const options = { fixtures: [tiny] }

interface Violation {
  readonly pointer?: string
  readonly parameter?: string
  readonly code: string
  readonly message: string
  readonly expected: string
  readonly received?: string
  readonly source: string
}

function violationsOf(response: Response): readonly Violation[] {
  return (response.body as { errors: readonly Violation[] }).errors
}

const contractLines = readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8').split('\n')

/** The line of the contract that a violation names, and the nearest line above that is less indented. */
function sourceLines({ source }: Violation): [string, string] {
  const [file, line] = source.split(':')
  expect(file).toBe('spec/openapi.yaml')
  const at = Number(line) - 1
  const text = contractLines[at] ?? ''
  const indent = (one: string) => one.search(/\S/)
  const above = contractLines.slice(0, at).findLast((one) => one.trim() !== '' && indent(one) < indent(text)) ?? ''
  return [above.trim(), text.trim()]
}

/** A create with a fault of each kind. */
const FAULTY = weekly(
  { title: 7, pageId: '100', viewId: 8.5, attachmentInclude: 'yes' },
  {
    hourOfDay: 24,
    daysToRun: 'MONDAY',
    timezone: 'Mars/Olympus',
    additionalRecipients: [{ type: 'FAX', value: '1' }, 5],
  },
)

describeBehaviour(
  'error.body',
  {
    problem: async ({ create, search }) => {
      const refused = await create(FAULTY)
      expect(refused.headers['content-type']).toBe('application/problem+json')
      const { errors, ...problem } = refused.body as Record<string, unknown>
      expect(problem).toEqual({
        type: '/problems/request-invalid',
        title: 'The request is not valid',
        status: 400,
        detail: '/title: expected a string, got 7. (and 8 more)',
        instance: SCHEDULES,
      })
      expect(errors).toEqual([
        violation('/title', 'type', 'a string', '7'),
        violation('/pageId', 'type', 'an integer', '"100"'),
        violation('/viewId', 'type', 'an integer', '8.5'),
        violation('/schedule/additionalRecipients/1', 'type', 'an object', '5'),
        violation('/attachmentInclude', 'type', 'true or false', '"yes"'),
        violation('/schedule/daysToRun', 'days.weekly', 'one of SUN, MON, TUE, WED, THU, FRI, SAT', '"MONDAY"'),
        violation('/schedule/hourOfDay', 'time.range', 'an integer from 0 to 23', '24'),
        violation(
          '/schedule/additionalRecipients/0/type',
          'recipient.types',
          expect.stringContaining('EMAIL') as string,
          '"FAX"',
        ),
        violation(
          '/schedule/timezone',
          'zone.invalid',
          expect.stringContaining('region/city') as string,
          '"Mars/Olympus"',
        ),
      ])
      const elsewhere = await search({ query: 'limit=0&immediateChildren=1', set: 'a|b' })
      expect(elsewhere.body).toMatchObject({ instance: `${SEARCH}/a%7Cb/files/search` })
      expect(rowsOf(await search({ query: 'limit=0' }))).toEqual([
        'limit.zero',
        'auth.keys',
        'error.body',
        'error.invalid-status',
      ])
    },
    service: async ({ create, search }) => {
      const refused = await create(weekly({ title: 7 }))
      expect(refused.headers['content-type']).toBe('application/json')
      expect(refused.body).toEqual({
        status: 400,
        statusReason: 'Bad Request',
        message: '/title: expected a string, got 7.',
        path: SCHEDULES,
        toe: expect.stringMatching(/^[\dA-F]{5}-[\dA-F]{5}-[\dA-F]{5}$/) as string,
        errors: [violation('/title', 'type', 'a string', '7')],
      })
      const missing = await search({ set: 'nowhere' })
      expect([missing.status, missing.body]).toMatchObject([404, { status: 404, statusReason: 'Not Found' }])
      expect(rowsOf(missing)).toContain('error.body')
      expect((missing.body as { toe: string }).toe).not.toBe((refused.body as { toe: string }).toe)
    },
    '{template: {code: "{status}", why: "Error {status}: {detail}", list: "{errors}", at: ["{path}", "{unknown}", 1, null], id: "{requestId}"}}':
      async ({ create }) => {
        const refused = await create(weekly({ title: 7 }))
        expect(refused.headers['content-type']).toBe('application/json')
        expect(refused.body).toEqual({
          code: 400,
          why: 'Error 400: /title: expected a string, got 7.',
          list: [violation('/title', 'type', 'a string', '7')],
          at: [SCHEDULES, '{unknown}', 1, null],
          id: refused.headers['x-request-id'],
        })
      },
  },
  options,
)

/** One element of `errors`, which says where, what and who says so. */
function violation(pointer: string, code: string, expected: string, received: string): object {
  const message = expect.stringMatching(new RegExp(`^${pointer}: expected .+, got .+\\.$`)) as string
  const source = code.includes('.')
    ? `spec/behaviours.yaml#${code}`
    : (expect.stringMatching(/^spec\/openapi\.yaml:\d+$/) as string)
  return { pointer, code, message, expected, received, source }
}

test('a violation of the contract names the line that says so', async () => {
  const { create, search } = createTester(options)
  const lines = violationsOf(await create(FAULTY)).flatMap((one) =>
    one.source.includes('#') ? [] : [sourceLines(one)],
  )
  expect(lines).toEqual([
    ['title:', 'type: string'],
    ['pageId:', 'type: integer'],
    ['viewId:', 'type: integer'],
    ['Recipient:', 'type: object'],
    ['attachmentInclude:', 'type: boolean'],
  ])
  const faulty = {
    filters: [{ field: 1, value: 'x', not: 'no', operator: [] }],
    fieldSort: 'name',
    dateFilters: [{ end: 5 }],
  }
  const violations = violationsOf(await search({ body: faulty }))
  const found = (pointer: string) => sourceLines(violations.find((one) => one.pointer === pointer)!)
  expect(found('/filters/0/field')).toEqual(['field:', 'type: string'])
  expect(found('/filters/0/value')).toEqual(['value:', 'type: array'])
  expect(found('/filters/0/not')).toEqual(['not:', 'type: boolean'])
  expect(found('/fieldSort')).toEqual(['fieldSort:', 'type: array'])
  expect(found('/dateFilters/0/end')).toEqual(['end:', "type: [string, 'null']"])
})

test('a parameter that is refused names its line of the contract', async () => {
  const { search, update } = createTester(options)
  const refused = await search({ query: 'limit=abc&immediateChildren=1' })
  expect(violationsOf(refused).map((one) => [one.parameter, one.code, ...sourceLines(one)])).toEqual([
    ['immediateChildren', 'http.boolean', 'parameters:', "- $ref: '#/components/parameters/ImmediateChildren'"],
    ['limit', 'limit.format', 'parameters:', "- $ref: '#/components/parameters/Limit'"],
  ])
  expect(refused.body).toMatchObject({ errors: [{ received: '"1"' }, { received: '"abc"' }] })
  const [scheduleId] = violationsOf(await update('abc', {}))
  expect(scheduleId).toMatchObject({ parameter: 'scheduleId', code: 'update.id-form', received: '"abc"' })
  expect(sourceLines(scheduleId!)[1]).toBe("- $ref: '#/components/parameters/ScheduleId'")
})

test('errors in path, query and body are reported at once', async () => {
  const { search, update } = createTester({
    ...options,
    behaviours: { 'http.unknown-query': 'error', 'body.unknown': 'error' },
  })
  const refused = await search({ query: 'limit=x&limit=y&colour=red', body: { filters: 1, size: 2 } })
  expect(violationsOf(refused).map(({ pointer, parameter }) => pointer ?? parameter)).toEqual([
    'limit',
    'colour',
    '/size',
    '/filters',
  ])
  expect(violationsOf(await update('1.5', { title: 1 })).map(({ code }) => code)).toEqual(['update.id-form', 'type'])
})

test('a thousand errors are reported as fifty violations', async () => {
  const { search } = createTester(options)
  const refused = await search({ body: { filters: Array.from({ length: 100 }, () => ({ field: 1, value: [1] })) } })
  expect([refused.status, violationsOf(refused).length]).toEqual([400, 50])
})

test('what came is cut when it is long', async () => {
  const { create } = createTester(options)
  const [violation] = violationsOf(await create(weekly({ pageId: 'x'.repeat(5000) })))
  expect(violation?.received).toBe(`"${'x'.repeat(54)}…" (5000 characters)`)
})

test('a template may be any JSON, and only its own words are filled in', async () => {
  const bodyOf = async (template: unknown) => {
    const { search } = createTester({ ...options, behaviours: { 'error.body': { template } } })
    return (await search({ set: 'a{detail}b' })).body as unknown
  }
  expect(await bodyOf(['{slug}', '{title}', '{statusReason}'])).toEqual([
    'file-set-not-found',
    'The file set does not exist',
    'Not Found',
  ])
  expect(await bodyOf({ ['__proto__']: '{status}', text: '{constructor} ${status}' })).toEqual({
    ['__proto__']: 404,
    text: '{constructor} $404',
  })
  expect(await bodyOf('{path}')).toBe(`${SEARCH}/a%7Bdetail%7Db/files/search`)
})

const UNKNOWN: readonly (readonly [string, string])[] = [
  [`${SEARCH}/tiny/files/serach`, '/api/files/v1/filesets/{fileSetId}/files/search'],
  [`${SEARCH}/tiny/search`, '/api/files/v1/filesets/{fileSetId}/files/search'],
  [`${SEARCH}/tiny/files/search/`, '/api/files/v1/filesets/{fileSetId}/files/search'],
  ['/api/files/v2/filesets/tiny/files/search', '/api/files/v1/filesets/{fileSetId}/files/search'],
  ['/api/content/v1/reportschedule', '/api/content/v1/reportschedules'],
  ['/content/v1/reportschedules', '/api/content/v1/reportschedules'],
  [`${SCHEDULES}/`, '/api/content/v1/reportschedules'],
  [`${SCHEDULES}/7/`, '/api/content/v1/reportschedules/{scheduleId}'],
  ['/api/content/v1/reportschedule/7', '/api/content/v1/reportschedules/{scheduleId}'],
]

describeBehaviour(
  'error.unknown-path',
  {
    default: async ({ request }) => {
      for (const [path, nearest] of UNKNOWN) {
        const refused = await request().post(path).set(KEY_HEADER, 'key').send('{')
        expect([refused.status, refused.headers['content-type']], path).toEqual([404, 'application/problem+json'])
        expect(refused.body, path).toEqual({
          type: '/problems/path-unknown',
          title: 'There is no such path',
          status: 404,
          detail: `There is no path ${path}. Did you mean ${nearest}?`,
          instance: path,
        })
      }
      const far = await request().get('/')
      expect([far.status, rowsOf(far)]).toEqual([404, ['error.body', 'error.unknown-path']])
      expect((far.body as { detail: string }).detail).toContain('Known paths: /api/files/v1/filesets/')
      expect((await request().get(`/${'x'.repeat(10_000)}`)).status).toBe(404)
    },
  },
  options,
)

async function statuses(tester: Tester, times: number): Promise<number[]> {
  const found = []
  for (let time = 0; time < times; time++) found.push((await tester.search()).status)
  return found
}

describeBehaviour(
  'rate.limit',
  {
    off: async (tester) => {
      expect(new Set(await statuses(tester, 100))).toEqual(new Set([200]))
      expect(rowsOf(await tester.search())).not.toContain('rate.limit')
    },
    '2 per 10': async (tester) => {
      expect(await statuses(tester, 3)).toEqual([200, 200, 429])
      tester.moveTo(NOW + 4200)
      const refused = await tester.search()
      expect(refused.headers['retry-after']).toBe('6')
      expect(refused.body).toMatchObject({
        type: '/problems/too-many-requests',
        detail: '2 requests are allowed in 10 s. Try again in 6 s.',
      })
      expect(rowsOf(refused)).toEqual(['auth.keys', 'error.body', 'rate.limit'])
      tester.moveTo(NOW + 9999)
      expect(await statuses(tester, 1)).toEqual([429])
      tester.moveTo(NOW + 4200 + 6000)
      const allowed = await tester.search()
      expect([allowed.status, rowsOf(allowed).includes('rate.limit')]).toEqual([200, true])
      expect(await statuses(tester, 2)).toEqual([200, 429])
    },
  },
  options,
)

test('every operation and every key counts against one rate limit, and a refused write changes nothing', async () => {
  const { search, create, moveTo } = createTester({ ...options, behaviours: { 'rate.limit': '2 per 60' } })
  const { id } = (await create(weekly())).body as { id: number }
  await search({ headers: { [KEY_HEADER]: 'another' } })
  expect((await create(weekly())).status).toBe(429)
  moveTo(NOW + 60_000)
  expect((await create(weekly())).body).toMatchObject({ id: id + 1 })
})

test('a reset opens the window anew', async () => {
  const tester = createTester({ ...options, behaviours: { 'rate.limit': '1 per 3600' } })
  expect(await statuses(tester, 2)).toEqual([200, 429])
  tester.standin.reset()
  expect(await statuses(tester, 2)).toEqual([200, 429])
})

describeBehaviour(
  'error.invalid-status',
  {
    '400': async ({ create, search }) => {
      for (const refused of [
        await create(FAULTY),
        await search({ query: 'limit=0' }),
        await search({ query: 'next=x' }),
      ]) {
        expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ status: 400 })])
        expect(rowsOf(refused)).toContain('error.invalid-status')
      }
      expect(rowsOf(await search({ body: '{' }))).not.toContain('error.invalid-status')
    },
    '422': async ({ create, search }) => {
      for (const refused of [
        await create(FAULTY),
        await search({ query: 'limit=0' }),
        await search({ query: 'next=x' }),
      ]) {
        expect([refused.status, refused.body]).toEqual([422, expect.objectContaining({ status: 422 })])
        expect(rowsOf(refused)).toContain('error.invalid-status')
      }
      expect((await search({ body: '{' })).status).toBe(400)
      expect((await search({ set: 'nowhere' })).status).toBe(404)
    },
  },
  options,
)

describeBehaviour(
  'error.several',
  {
    all: async ({ create, search }) => {
      const refused = await create(FAULTY)
      expect(violationsOf(refused).length).toBeGreaterThan(5)
      expect(rowsOf(refused)).toContain('error.several')
      expect(rowsOf(await search({ query: 'limit=0' }))).not.toContain('error.several')
    },
    first: async ({ create }) => {
      const refused = await create(FAULTY)
      expect(violationsOf(refused)).toHaveLength(1)
      expect(refused.body).toHaveProperty('detail', '/title: expected a string, got 7.')
      expect(rowsOf(refused)).toContain('error.several')
    },
  },
  options,
)

const BAD_ESCAPES = ['directoryPath=100%', 'directoryPath=%zz', 'directoryPath=%E9t%E9', '%=1']

describeBehaviour(
  'error.bad-escape',
  {
    error: async ({ search }) => {
      for (const query of BAD_ESCAPES) {
        const refused = await search({ query })
        expect([refused.status, violationsOf(refused)[0]?.code], query).toEqual([400, 'error.bad-escape'])
        expect(rowsOf(refused), query).toContain('error.bad-escape')
      }
      const fine = await search({ query: 'directoryPath=%25%20%C3%A9+' })
      expect([fine.status, rowsOf(fine).includes('error.bad-escape')]).toEqual([200, false])
    },
    literal: async ({ search }) => {
      for (const query of BAD_ESCAPES) {
        const answer = await search({ query })
        expect([answer.status, rowsOf(answer).includes('error.bad-escape')], query).toEqual([200, true])
      }
      const found = await search({ query: 'directoryPath=100%' })
      expect((found.body as { files: object[] }).files).toMatchObject([{ path: '100%/a.txt' }])
    },
  },
  { fixtures: [{ fileSets: [{ id: 'tiny', files: [{ path: '100%/a.txt' }] }] }] },
)
