import type { Response } from 'supertest'
import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, KEY_HEADER, rowsOf, type Tester, weekly } from '../support/tester.ts'

/** The first id that a test is given: six schedules come with the package. */
const FIRST = 7

/** Monday 9 March 2026, 08:30 in New York: the next run of `weekly()`. */
const MONDAY = 1773059400000

/** Answers that show all of what is stored; `attachmentInclude` is in no answer. */
const seen = {
  behaviours: { 'create.response': 'full', 'update.response': 'full', 'response.recipients': 'yes' },
}

const JANE = { type: 'EMAIL', value: 'jane@example.com' }

/** A body that holds every part there is. */
function whole(parts: Readonly<Record<string, unknown>> = {}, schedule: Readonly<Record<string, unknown>> = {}) {
  return weekly({ attachmentInclude: true, ...parts }, { enabled: true, additionalRecipients: [JANE], ...schedule })
}

const REQUIRED = {
  '/title': { ...weekly(), title: undefined },
  '/pageId': { ...weekly(), pageId: undefined },
  '/viewId': { ...weekly(), viewId: undefined },
  '/schedule': { ...weekly(), schedule: undefined },
  '/schedule/frequency': weekly({}, { frequency: undefined }),
  '/schedule/daysToRun': weekly({}, { daysToRun: undefined }),
  '/schedule/hourOfDay': weekly({}, { hourOfDay: undefined }),
  '/schedule/minOfHour': weekly({}, { minOfHour: undefined }),
}

/** What is stored, as an update with `{}` shows it. */
async function storedOf({ update }: Tester, id = FIRST): Promise<unknown> {
  const response = await update(id, {})
  expect(response.status, response.text).toBe(200)
  return response.body
}

function scheduleOf(response: Response): Record<string, unknown> {
  return (response.body as { schedule: Record<string, unknown> }).schedule
}

/** The body of a create whose JSON text has other texts in it: for what `JSON.stringify` cannot write. */
function withTexts(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts).reduce(
    (body, [name, text]) => body.replace(new RegExp(`"${name}":[^,}]+`), `"${name}":${text}`),
    JSON.stringify(weekly()),
  )
}

describeBehaviour('create.required', {
  default: async ({ create }) => {
    for (const [pointer, body] of Object.entries(REQUIRED)) {
      const refused = await create(body)
      expect(refused.status, pointer).toBe(400)
      expect(complaintsOf(refused)).toEqual([`${pointer} create.required`])
      expect(rowsOf(refused)).toContain('create.required')
    }
    const top = ['/title', '/pageId', '/viewId', '/schedule'].map((pointer) => `${pointer} create.required`)
    expect(complaintsOf(await create({}))).toEqual(top)
    const parts = Object.keys(REQUIRED).filter((pointer) => pointer !== '/schedule')
    expect(complaintsOf(await create({ schedule: {} }))).toEqual(parts.map((pointer) => `${pointer} create.required`))
    for (const title of ['', ' ', '\t\r\n', '\u00a0\u2003'])
      expect(complaintsOf(await create(weekly({ title })))).toEqual(['/title create.required'])
    const created = await create(weekly({}, { timezone: undefined }))
    expect(created.status).toBe(200)
    expect(rowsOf(created)).toContain('create.required')
    expect(rowsOf(await create(whole()))).not.toContain('create.required')
  },
  '/title,/schedule': async ({ create }) => {
    const created = await create({ title: 'No page', schedule: {} })
    expect(created.body).toEqual({ id: FIRST, title: 'No page', schedule: { enabled: true } })
    expect(rowsOf(created)).toContain('create.required')
    expect(complaintsOf(await create({}))).toEqual(['/title create.required', '/schedule create.required'])
    expect(complaintsOf(await create({ title: 'No schedule' }))).toEqual(['/schedule create.required'])
  },
  '/schedule/timezone,/attachmentInclude': async ({ create }) => {
    const body = { attachmentInclude: false }
    expect((await create(body)).body).toEqual({ id: FIRST })
    expect(complaintsOf(await create({}))).toEqual(['/attachmentInclude create.required'])
    expect(complaintsOf(await create({ ...body, schedule: {} }))).toEqual(['/schedule/timezone create.required'])
  },
})

describeBehaviour(
  'create.defaults',
  {
    default: async (tester) => {
      const created = await tester.create(weekly({}, { timezone: undefined }))
      expect(rowsOf(created)).toEqual(expect.arrayContaining(['create.defaults', 'zone.omitted']))
      const stored = {
        enabled: true,
        timezone: 'UTC',
        additionalRecipients: [],
        nextRunDate: Date.UTC(2026, 2, 9, 8, 30),
      }
      expect(created.body).toMatchObject({ schedule: stored, recipientCount: 0 })
      expect(await storedOf(tester)).toEqual(created.body)
      expect(rowsOf(await tester.create(whole()))).not.toContain('create.defaults')
      for (const part of [{ attachmentInclude: undefined }, {}])
        expect(
          rowsOf(await tester.create(whole(part, 'attachmentInclude' in part ? {} : { enabled: undefined }))),
        ).toContain('create.defaults')
    },
    // attachmentInclude is in no answer, so all that shows of it is that it may be chosen.
    '{enabled: false, attachmentInclude: true}': async ({ create }) => {
      expect(scheduleOf(await create(weekly()))).toMatchObject({ enabled: false, additionalRecipients: [] })
      expect(scheduleOf(await create(weekly()))).not.toHaveProperty('nextRunDate')
      expect(scheduleOf(await create(weekly({}, { enabled: true })))).toMatchObject({
        enabled: true,
        nextRunDate: MONDAY,
      })
    },
    '{additionalRecipients: [{type: USER, value: "27"}]}': async ({ create, update }) => {
      const recipients = [{ type: 'USER', value: '27' }]
      expect((await create(weekly())).body).toMatchObject({
        recipientCount: 1,
        schedule: { enabled: true, additionalRecipients: recipients },
      })
      expect((await create(weekly({}, { additionalRecipients: [] }))).body).toMatchObject({ recipientCount: 0 })
      expect((await update(FIRST + 1, { schedule: weekly().schedule })).body).toMatchObject({ recipientCount: 1 })
    },
  },
  seen,
)

describeBehaviour(
  'body.null',
  {
    absent: async (tester) => {
      const { create, update } = tester
      for (const [pointer, body] of Object.entries(REQUIRED)) {
        const sent = JSON.stringify(body, (_name, value: unknown) => (value === undefined ? null : value))
        expect(complaintsOf(await create(sent))).toEqual([`${pointer} create.required`])
      }
      const nothing = { timezone: null, enabled: null, additionalRecipients: null }
      const created = await create(weekly({ attachmentInclude: null }, nothing))
      expect(rowsOf(created)).toEqual(expect.arrayContaining(['body.null', 'create.defaults', 'zone.omitted']))
      expect(scheduleOf(created)).toMatchObject({ timezone: 'UTC', enabled: true, additionalRecipients: [] })
      const updated = await update(FIRST, {
        title: null,
        pageId: null,
        viewId: null,
        schedule: null,
        attachmentInclude: null,
      })
      expect(updated.body).toEqual(created.body)
      expect(rowsOf(updated)).toEqual(expect.arrayContaining(['body.null', 'update.empty']))
      expect(
        complaintsOf(await update(FIRST, { schedule: { ...(weekly().schedule as object), hourOfDay: null } })),
      ).toEqual(['/schedule/hourOfDay update.schedule'])
      expect(rowsOf(await create(weekly()))).not.toContain('body.null')
      const list = '/schedule/additionalRecipients'
      expect(complaintsOf(await create(weekly({}, { additionalRecipients: [null] })))).toEqual([`${list}/0 type`])
      expect(complaintsOf(await create(weekly({}, { additionalRecipients: [{ type: null, value: null }] })))).toEqual([
        `${list}/0/type recipient.types`,
      ])
    },
    clear: async ({ create, update }) => {
      const created = await create(whole())
      expect(created.body).toMatchObject({ title: 'Weekly sales', schedule: { additionalRecipients: [JANE] } })
      const updated = await update(FIRST, { pageId: null, title: 'Renamed' })
      expect(updated.body).toMatchObject({ title: 'Renamed', reportViewId: 200 })
      expect(updated.body).not.toHaveProperty('pageId')
      expect(rowsOf(updated)).toContain('body.null')
      const emptied = await update(FIRST, { title: null, schedule: null })
      for (const name of ['title', 'schedule', 'pageId']) expect(emptied.body).not.toHaveProperty(name)
      expect(await update(FIRST, {})).toHaveProperty('body', emptied.body)
      // Null in a create is what was not sent.
      expect(complaintsOf(await create({ ...weekly(), title: null }))).toEqual(['/title create.required'])
    },
    error: async ({ create, update }) => {
      for (const refused of [await create(weekly({ attachmentInclude: null })), await update(1, { title: null })]) {
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)[0]).toMatch(/^\/(attachmentInclude|title) type$/)
        expect(rowsOf(refused)).toContain('body.null')
      }
      expect((await update(1, { schedule: { ...(weekly().schedule as object), enabled: null } })).status).toBe(400)
    },
  },
  seen,
)

test('null empties a part of a schedule that is merged', async () => {
  const behaviours = { ...seen.behaviours, 'body.null': 'clear', 'update.schedule': 'deep-merge' }
  const { create, update } = createTester({ behaviours })
  await create(whole())
  const updated = await update(FIRST, { schedule: { additionalRecipients: null, timezone: null } })
  expect(updated.body).toMatchObject({ schedule: { additionalRecipients: [], timezone: 'UTC', hourOfDay: 8 } })
})

const WRONG_TYPES = [
  ['/title', [5, true, [], {}]],
  ['/pageId', ['8', 8.5, true, [], {}]],
  ['/viewId', ['8', 8.5, true, [], {}]],
  ['/attachmentInclude', ['true', 1, 0, [], {}]],
  ['/schedule', ['WEEKLY', 5, true, [], [{}]]],
  ['/schedule/frequency', [5, true, [], {}]],
  ['/schedule/daysToRun', [15, true, ['MON'], {}]],
  ['/schedule/hourOfDay', ['8', 8.5, true, [], {}]],
  ['/schedule/minOfHour', ['30', 0.1, false, [], {}]],
  ['/schedule/timezone', [0, true, [], {}]],
  ['/schedule/enabled', ['false', 0, 1, [], {}]],
  ['/schedule/additionalRecipients', ['a@example.com', 5, true, JANE]],
  ['/schedule/additionalRecipients/0', ['a@example.com', 5, true, [JANE]]],
  ['/schedule/additionalRecipients/0/type', [5, true, [], {}]],
  ['/schedule/additionalRecipients/0/value', [5, true, [], {}]],
] as const

/** A complete body with another value at a pointer. */
function withValue(pointer: string, value: unknown): unknown {
  const body = structuredClone(whole())
  const path = pointer.split('/').slice(1)
  const last = path.pop() ?? ''
  const holder = path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], body)
  ;(holder as Record<string, unknown>)[last] = value
  return body
}

describeBehaviour('body.types', {
  strict: async ({ create, update }) => {
    await create(whole())
    for (const [pointer, values] of WRONG_TYPES) {
      for (const value of values) {
        for (const refused of [
          await create(withValue(pointer, value)),
          await update(FIRST, withValue(pointer, value)),
        ]) {
          expect(refused.status, `${pointer} ${JSON.stringify(value)}`).toBe(400)
          expect(complaintsOf(refused)).toEqual([`${pointer} type`])
        }
      }
    }
    const allAtOnce = {
      title: 5,
      pageId: 'x',
      viewId: 8.5,
      attachmentInclude: 1,
      schedule: { hourOfDay: '8', enabled: 0 },
    }
    expect(complaintsOf(await create(allAtOnce)).sort()).toEqual([
      '/attachmentInclude type',
      '/pageId type',
      '/schedule/daysToRun create.required',
      '/schedule/enabled type',
      '/schedule/frequency create.required',
      '/schedule/hourOfDay type',
      '/schedule/minOfHour create.required',
      '/title type',
      '/viewId type',
    ])
    const many = await create(
      weekly({}, { additionalRecipients: Array.from({ length: 100 }, () => ({ type: 5, value: 5 })) }),
    )
    expect(complaintsOf(many)).toHaveLength(50)
    const created = await create(withTexts({ pageId: '8.0', viewId: '80e-1', hourOfDay: '8.0', minOfHour: '3e1' }))
    expect(created.body).toMatchObject({ pageId: 8, reportViewId: 8, schedule: { hourOfDay: 8, minOfHour: 30 } })
    expect(created.text).toContain('"pageId":8,')
    expect(rowsOf(created)).not.toContain('body.types')
  },
  coerce: async ({ create, update }) => {
    const spelt = {
      ...(weekly().schedule as object),
      hourOfDay: '8',
      minOfHour: '30',
      enabled: 'false',
      additionalRecipients: [],
    }
    const created = await create({
      title: 5,
      pageId: '9007199254740993',
      viewId: '-8',
      schedule: spelt,
      attachmentInclude: 'true',
    })
    expect(complaintsOf(created)).toEqual(['/viewId body.ids'])
    const accepted = await create({
      title: 5,
      pageId: '9007199254740993',
      viewId: '8',
      schedule: spelt,
      attachmentInclude: 'true',
    })
    expect(accepted.text).toContain('"pageId":9007199254740993,')
    expect(accepted.body).toMatchObject({
      title: '5',
      reportViewId: 8,
      schedule: { hourOfDay: 8, minOfHour: 30, enabled: false },
    })
    const monthly = { ...spelt, frequency: 'MONTHLY', daysToRun: 15, enabled: true }
    expect((await update(FIRST, { schedule: monthly })).body).toMatchObject({ schedule: { daysToRun: '15' } })
    const refusals = { pageId: 'abc', viewId: '8.5', attachmentInclude: 'yes', title: [] }
    expect(complaintsOf(await create(weekly(refusals))).sort()).toEqual([
      '/attachmentInclude type',
      '/pageId type',
      '/title type',
      '/viewId type',
    ])
  },
})

const LARGE = ['9007199254740992', '9007199254740993', '9223372036854775807']

describeBehaviour('body.int64', {
  int64: async ({ create, update }) => {
    for (const [index, text] of LARGE.entries()) {
      const created = await create(withTexts({ pageId: text, viewId: text }))
      expect(created.text).toContain(`"reportViewId":${text},"pageId":${text},`)
      expect(rowsOf(created)).toContain('body.int64')
      expect((await update(FIRST + index, `{"pageId":${text}}`)).status).toBe(200)
    }
    for (const text of ['9223372036854775808', '18446744073709551616', '9'.repeat(30)]) {
      const refused = await create(withTexts({ pageId: text }))
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)[0]).toMatch(/^\/pageId (body.int64|format)$/)
    }
    const safe = await create(withTexts({ pageId: '9007199254740991' }))
    expect(safe.text).toContain('"pageId":9007199254740991,')
    expect(rowsOf(safe)).not.toContain('body.int64')
  },
  safe53: async ({ create, update }) => {
    for (const text of LARGE) {
      for (const name of ['pageId', 'viewId']) {
        const refused = await create(withTexts({ [name]: text }))
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual([`/${name} body.int64`])
        expect(rowsOf(refused)).toContain('body.int64')
      }
    }
    expect((await create(withTexts({ viewId: '9007199254740991' }))).status).toBe(200)
    expect(complaintsOf(await update(FIRST, '{"viewId":9007199254740993}'))).toEqual(['/viewId body.int64'])
  },
})

test('the digits of a large id are kept by updates too', async () => {
  const { create, update } = createTester(seen)
  await create(withTexts({ pageId: '9007199254740993', viewId: '9223372036854775807' }))
  const text = (await update(FIRST, { title: 'Renamed' })).text
  expect(text).toContain('"reportViewId":9223372036854775807,"pageId":9007199254740993,"title":"Renamed"')
  expect(text).toContain('"embedViewId":9223372036854775807,')
  expect((await update(FIRST, '{"pageId":9223372036854775806}')).text).toContain('"pageId":9223372036854775806,')
})

describeBehaviour('body.ids', {
  error: async ({ create, update }) => {
    for (const text of ['-1', '0', '-0', '-9007199254740993', '-9223372036854775808']) {
      for (const name of ['pageId', 'viewId']) {
        const refused = await create(withTexts({ [name]: text }))
        expect(complaintsOf(refused), text).toEqual([`/${name} body.ids`])
        expect(rowsOf(refused)).toContain('body.ids')
      }
    }
    expect(complaintsOf(await update(1, { pageId: 0, viewId: -1 }))).toEqual(['/pageId body.ids', '/viewId body.ids'])
    expect(rowsOf(await create(weekly({ pageId: 1, viewId: 1 })))).not.toContain('body.ids')
  },
  accept: async ({ create }) => {
    const created = await create(withTexts({ pageId: '-9223372036854775808', viewId: '0' }))
    expect(created.text).toContain('"reportViewId":0,"pageId":-9223372036854775808,')
    expect(rowsOf(created)).toContain('body.ids')
    expect((await create(withTexts({ pageId: '-9223372036854775809' }))).status).toBe(400)
    expect(rowsOf(await create(weekly()))).not.toContain('body.ids')
  },
})

const STRANGE = weekly(
  { colour: 'red', 'a/b~c': [1], nested: { title: 'inner' } },
  { nextRunDate: 5, additionalRecipients: [{ ...JANE, name: 'Jane' }] },
)
const STRANGERS = ['/colour', '/a~1b~0c', '/nested', '/schedule/nextRunDate', '/schedule/additionalRecipients/0/name']

describeBehaviour(
  'body.unknown',
  {
    ignore: async (tester) => {
      const created = await tester.create(STRANGE)
      expect(created.status).toBe(200)
      const ignored = String(created.headers['x-mock-ignored']).split(', ').sort()
      expect(ignored).toEqual(STRANGERS.map((pointer) => `body ${pointer}`).sort())
      expect(rowsOf(created)).toContain('body.unknown')
      const plain = await tester.create(weekly({}, { additionalRecipients: [JANE] }))
      expect(plain.headers).not.toHaveProperty('x-mock-ignored')
      expect(rowsOf(plain)).not.toContain('body.unknown')
      expect({ ...((await storedOf(tester)) as object), id: FIRST + 1 }).toEqual(await storedOf(tester, FIRST + 1))
      const updated = await tester.update(FIRST, { colour: 'blue' })
      expect(updated.headers).toHaveProperty('x-mock-ignored', 'body /colour')
      expect(updated.body).toEqual(created.body)
    },
    error: async ({ create, update }) => {
      const refused = await create(STRANGE)
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused).sort()).toEqual(STRANGERS.map((pointer) => `${pointer} body.unknown`).sort())
      expect(rowsOf(refused)).toContain('body.unknown')
      const updated = await update(1, { colour: 'blue' })
      expect(complaintsOf(updated)).toEqual(['/colour body.unknown'])
      expect(updated.body).toMatchObject({
        detail: '/colour: expected no member that the contract does not know, got "blue".',
        errors: [{ received: '"blue"' }],
      })
      expect((await create(weekly())).body).toHaveProperty('id', FIRST)
    },
  },
  seen,
)

describeBehaviour('create.status', {
  '200': async ({ create }) => expect((await create(weekly())).status).toBe(200),
  '201': async ({ create, update }) => {
    expect((await create(weekly())).status).toBe(201)
    expect((await update(FIRST, {})).status).toBe(200)
  },
})

const SETTINGS = {
  frequency: 'WEEKLY',
  daysToRun: 'MON',
  hourOfDay: 8,
  minOfHour: 30,
  enabled: true,
  nextRunDate: MONDAY,
}
const ZONED = { ...SETTINGS, timezone: 'America/New_York' }
const FULL = {
  id: FIRST,
  reportViewId: 200,
  pageId: 100,
  title: 'Weekly sales',
  viewName: expect.any(String) as string,
  type: expect.any(String) as string,
  ownerId: 1,
  embedViewId: 200,
  owner: true,
  cardCount: expect.any(Number) as number,
  recipientCount: 1,
  cardId: expect.any(Number) as number,
  schedule: ZONED,
}

describeBehaviour('create.response', {
  documented: async ({ create }) => {
    const created = await create(whole())
    expect(created.body).toEqual({
      id: FIRST,
      reportViewId: 200,
      pageId: 100,
      title: 'Weekly sales',
      schedule: SETTINGS,
    })
    expect(created.headers).toHaveProperty('content-type', 'application/json')
  },
  full: async ({ create, update }) => {
    expect((await create(whole())).body).toEqual(FULL)
    expect((await update(FIRST, {})).body).toEqual({ id: FIRST, title: 'Weekly sales', schedule: ZONED })
  },
})

describeBehaviour('update.response', {
  documented: async ({ create, update }) => {
    await create(whole())
    for (const body of [{}, { pageId: 5 }, whole()])
      expect((await update(FIRST, body)).body).toEqual({ id: FIRST, title: 'Weekly sales', schedule: ZONED })
  },
  full: async ({ create, update }) => {
    expect((await create(whole())).body).not.toHaveProperty('viewName')
    expect((await update(FIRST, {})).body).toEqual(FULL)
    expect((await update(FIRST, { title: 'Renamed' })).body).toEqual({ ...FULL, title: 'Renamed' })
  },
})

test('what a full answer says of a view is the same for every schedule of it, and differs between views', async () => {
  const { create } = createTester(seen)
  const ofView = async (viewId: number) => {
    const { viewName, cardCount, cardId, embedViewId } = (await create(weekly({ viewId }))).body as Record<
      string,
      unknown
    >
    return { viewName, cardCount, cardId, embedViewId }
  }
  const first = await ofView(200)
  expect(await ofView(200)).toEqual(first)
  const other = await ofView(201)
  expect([other.viewName, other.cardId]).not.toEqual([first.viewName, first.cardId])
})

test('the owner of a schedule is who created it, and `owner` says whether that is who asks', async () => {
  const keys = [
    { key: 'ann', userId: 5 },
    { key: 'bob', userId: 6 },
  ]
  const { create, update } = createTester({ ...seen, keys })
  expect((await create(weekly(), { [KEY_HEADER]: 'ann' })).body).toMatchObject({ ownerId: 5, owner: true })
  expect((await update(FIRST, { title: 'By Bob' }, { [KEY_HEADER]: 'bob' })).body).toMatchObject({
    ownerId: 5,
    owner: false,
  })
  expect((await update(FIRST, {}, { [KEY_HEADER]: 'ann' })).body).toMatchObject({ ownerId: 5, owner: true })
})

describeBehaviour('response.recipients', {
  no: async ({ create, update }) => {
    const created = await create(whole())
    for (const response of [created, await update(FIRST, {}), await update(FIRST, whole())]) {
      expect(scheduleOf(response)).not.toHaveProperty('additionalRecipients')
      expect(rowsOf(response)).toContain('response.recipients')
    }
  },
  yes: async ({ create, update }) => {
    const recipients = [JANE, { type: 'USER', value: '27' }]
    const created = await create(whole({}, { additionalRecipients: recipients }))
    for (const response of [created, await update(FIRST, {})]) {
      expect(scheduleOf(response)).toHaveProperty('additionalRecipients', recipients)
      expect(rowsOf(response)).toContain('response.recipients')
    }
    expect(scheduleOf(await create(weekly()))).toHaveProperty('additionalRecipients', [])
  },
})

const CHANGES = {
  title: 'Renamed',
  pageId: 101,
  viewId: 201,
  schedule: { ...ZONED, daysToRun: 'TUE' },
  attachmentInclude: false,
}

describeBehaviour(
  'update.omitted',
  {
    keep: async (tester) => {
      const before = (await tester.create(whole())).body as object
      const changes = [
        [{ title: 'Renamed' }, { title: 'Renamed' }],
        [{ pageId: 101 }, { pageId: 101 }],
        [{ viewId: 200 }, {}],
        [{ attachmentInclude: false }, {}],
        [
          { schedule: whole({}, { enabled: false }).schedule },
          { schedule: { ...ZONED, additionalRecipients: [JANE] } },
        ],
      ] as const
      let expected = before
      for (const [sent, change] of changes) {
        const updated = await tester.update(FIRST, sent)
        expected = { ...expected, ...change }
        if ('schedule' in sent) {
          const { nextRunDate: _none, ...off } = { ...ZONED, enabled: false, additionalRecipients: [JANE] }
          expected = { ...expected, schedule: off }
        }
        expect(updated.body).toEqual(expected)
        expect(rowsOf(updated)).toContain('update.omitted')
        expect(await storedOf(tester)).toEqual(expected)
      }
      expect(rowsOf(await tester.update(FIRST, whole()))).not.toContain('update.omitted')
    },
    clear: async (tester) => {
      await tester.create(whole())
      const titled = await tester.update(FIRST, { title: 'Alone' })
      expect(rowsOf(titled)).toContain('update.omitted')
      const empty = { id: FIRST, type: FULL.type, ownerId: 1, owner: true, recipientCount: 0 }
      const cards = { cardCount: FULL.cardCount, cardId: FULL.cardId }
      expect(titled.body).toEqual({ ...empty, ...cards, title: 'Alone' })
      const scheduled = await tester.update(FIRST, { schedule: weekly().schedule })
      expect(scheduled.body).toEqual({ ...empty, ...cards, schedule: { ...ZONED, additionalRecipients: [] } })
      const all = await tester.update(FIRST, whole())
      expect(all.body).toMatchObject({ title: 'Weekly sales', reportViewId: 200, pageId: 100, recipientCount: 1 })
      expect(rowsOf(all)).not.toContain('update.omitted')
    },
    error: async (tester) => {
      await tester.create(weekly())
      for (const name of Object.keys(CHANGES)) {
        const refused = await tester.update(FIRST, { ...CHANGES, [name]: undefined })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual([`/${name} update.omitted`])
        expect(rowsOf(refused)).toContain('update.omitted')
      }
      expect(complaintsOf(await tester.update(FIRST, {}))).toEqual(
        ['/title', '/pageId', '/viewId', '/schedule', '/attachmentInclude'].map(
          (pointer) => `${pointer} update.omitted`,
        ),
      )
      expect((await tester.update(FIRST, CHANGES)).body).toMatchObject({
        title: 'Renamed',
        pageId: 101,
        reportViewId: 201,
      })
    },
  },
  seen,
)

describeBehaviour(
  'update.schedule',
  {
    replace: async ({ create, update }) => {
      await create(whole({}, { enabled: false }))
      const four = { frequency: 'MONTHLY', daysToRun: '15', hourOfDay: 9, minOfHour: 0 }
      for (const name of Object.keys(four)) {
        const refused = await update(FIRST, { schedule: { ...four, [name]: undefined } })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual([`/schedule/${name} update.schedule`])
        expect(rowsOf(refused)).toContain('update.schedule')
      }
      expect(complaintsOf(await update(FIRST, { schedule: {} }))).toEqual(
        Object.keys(four).map((name) => `/schedule/${name} update.schedule`),
      )
      const updated = await update(FIRST, { schedule: four })
      const replaced = { ...four, timezone: 'UTC', enabled: true, additionalRecipients: [] }
      expect(scheduleOf(updated)).toEqual({ ...replaced, nextRunDate: Date.UTC(2026, 2, 15, 9) })
      const rows = ['create.defaults', 'update.schedule', 'zone.omitted']
      expect(rowsOf(updated)).toEqual(expect.arrayContaining(rows))
      const complete = rowsOf(await update(FIRST, { schedule: whole().schedule }))
      expect(complete.filter((row) => rows.includes(row))).toEqual([])
    },
    'deep-merge': async ({ create, update }) => {
      await create(whole({}, { enabled: false }))
      const later = await update(FIRST, { schedule: { hourOfDay: 17 } })
      const { nextRunDate: _none, ...off } = { ...ZONED, enabled: false, additionalRecipients: [JANE] }
      expect(scheduleOf(later)).toEqual({ ...off, hourOfDay: 17 })
      expect(rowsOf(later)).toContain('update.schedule')
      expect(rowsOf(later)).not.toContain('create.defaults')
      expect(rowsOf(later)).not.toContain('zone.omitted')
      expect(scheduleOf(await update(FIRST, { schedule: {} }))).toEqual({ ...off, hourOfDay: 17 })
      const mismatched = await update(FIRST, { schedule: { frequency: 'MONTHLY' } })
      expect(complaintsOf(mismatched)).toEqual(['/schedule/daysToRun days.mismatch'])
      const bare = await update(FIRST, { schedule: { additionalRecipients: [], timezone: 'UTC', enabled: true } })
      expect(scheduleOf(bare)).toMatchObject({
        hourOfDay: 17,
        timezone: 'UTC',
        enabled: true,
        additionalRecipients: [],
      })
      expect(rowsOf(await update(FIRST, { schedule: whole().schedule }))).not.toContain('update.schedule')
    },
  },
  seen,
)

describeBehaviour('update.empty', {
  keep: async ({ create, update }) => {
    await create(whole())
    const updated = await update(FIRST, {})
    expect(updated.status).toBe(200)
    expect(updated.body).toEqual({ id: FIRST, title: 'Weekly sales', schedule: ZONED })
    expect(rowsOf(updated)).toContain('update.empty')
    expect(rowsOf(await update(FIRST, { title: 'x' }))).not.toContain('update.empty')
  },
  error: async ({ create, update }) => {
    await create(whole())
    const refused = await update(FIRST, {})
    expect(refused.status).toBe(400)
    expect(complaintsOf(refused)).toEqual([' update.empty'])
    expect(rowsOf(refused)).toContain('update.empty')
    expect((await update(FIRST, { title: 'x' })).status).toBe(200)
  },
})

describeBehaviour(
  'update.links',
  {
    allow: async (tester) => {
      await tester.create(whole())
      const updated = await tester.update(FIRST, { viewId: 201, pageId: 101 })
      expect(updated.body).toMatchObject({ reportViewId: 201, embedViewId: 201, pageId: 101 })
      expect(rowsOf(updated)).toContain('update.links')
      expect(await storedOf(tester)).toEqual(updated.body)
      expect(rowsOf(await tester.update(FIRST, { viewId: 201, pageId: 101 }))).not.toContain('update.links')
    },
    ignore: async ({ create, update }) => {
      await create(whole())
      const updated = await update(FIRST, { viewId: 201, pageId: 101, title: 'Renamed' })
      expect(updated.body).toMatchObject({ reportViewId: 200, embedViewId: 200, pageId: 100, title: 'Renamed' })
      expect(rowsOf(updated)).toContain('update.links')
    },
    error: async (tester) => {
      await tester.create(whole())
      const refused = await tester.update(FIRST, { viewId: 201, pageId: 101, title: 'Renamed' })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['/pageId update.links', '/viewId update.links'])
      expect(rowsOf(refused)).toContain('update.links')
      expect(await storedOf(tester)).toMatchObject({ title: 'Weekly sales', pageId: 100 })
      expect((await tester.update(FIRST, { viewId: 200, pageId: 100, title: 'Renamed' })).status).toBe(200)
    },
  },
  seen,
)

describeBehaviour('update.body-id', {
  ignore: async ({ create, update }) => {
    await create(weekly())
    const updated = await update(FIRST, { id: FIRST, title: 'Renamed' })
    expect(updated.body).toMatchObject({ id: FIRST, title: 'Renamed' })
    expect(updated.headers).toHaveProperty('x-mock-ignored', 'body /id')
    expect(rowsOf(updated)).toContain('update.body-id')
    for (const id of [FIRST + 1, 1, String(FIRST), [FIRST], true, FIRST + 0.5]) {
      const refused = await update(FIRST, { id, title: 'Refused' })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['/id update.body-id'])
      expect(rowsOf(refused)).toContain('update.body-id')
    }
    const kept = await update(FIRST, {})
    expect(kept.body).toHaveProperty('title', 'Renamed')
    expect(rowsOf(kept)).not.toContain('update.body-id')
  },
  error: async ({ create, update }) => {
    await create(weekly())
    for (const id of [FIRST, FIRST + 1])
      expect(complaintsOf(await update(FIRST, { id }))).toEqual(['/id update.body-id'])
    expect((await update(FIRST, {})).status).toBe(200)
  },
})

test('an id in the body of a create is an unknown property', async () => {
  const created = await createTester().create(weekly({ id: 3 }))
  expect(created.body).toHaveProperty('id', FIRST)
  expect(rowsOf(created)).not.toContain('update.body-id')
  expect(created.headers).toHaveProperty('x-mock-ignored', 'body /id')
})

/** An update of an unknown id is refused and creates nothing. */
async function refusesUnknown({ create, update }: Tester, status: number): Promise<void> {
  for (const id of [FIRST, 99, '9223372036854775807']) {
    const refused = await update(id, weekly())
    expect(refused.status).toBe(status)
    expect(complaintsOf(refused)).toEqual(['scheduleId update.unknown-id'])
    expect(rowsOf(refused)).toContain('update.unknown-id')
    expect((await update(id, {})).status).toBe(status)
  }
  expect((await create(weekly())).body).toHaveProperty('id', FIRST)
  expect(rowsOf(await update(FIRST, {}))).not.toContain('update.unknown-id')
}

describeBehaviour('update.unknown-id', {
  '404': (tester) => refusesUnknown(tester, 404),
  '403': (tester) => refusesUnknown(tester, 403),
  '400': (tester) => refusesUnknown(tester, 400),
  create: async ({ create, update }) => {
    const made = await update(99, whole({ title: 'Made' }))
    expect(made.body).toEqual({ id: 99, reportViewId: 200, pageId: 100, title: 'Made', schedule: SETTINGS })
    expect(rowsOf(made)).toContain('update.unknown-id')
    const again = await update(99, { title: 'Again' })
    expect(again.body).toEqual({ id: 99, title: 'Again', schedule: ZONED })
    expect(rowsOf(again)).not.toContain('update.unknown-id')
    const required = ['/title', '/pageId', '/viewId', '/schedule'].map((pointer) => `${pointer} create.required`)
    expect(complaintsOf(await update(50, {}))).toEqual(required)
    expect((await create(weekly())).body).toHaveProperty('id', 100)
    for (const id of ['0', '-1', '9007199254740993']) expect((await update(id, weekly())).status).toBe(404)
  },
})

describeBehaviour('update.id-form', {
  default: async ({ create, update }) => {
    await create(weekly())
    for (const id of [
      'abc',
      '1.5',
      '007',
      '7.0',
      '+7',
      '1e1',
      '0x7',
      '%207',
      '9223372036854775808',
      '-9223372036854775809',
    ]) {
      const refused = await update(id, {})
      expect(refused.status, id).toBe(400)
      expect(complaintsOf(refused)).toEqual(['scheduleId update.id-form'])
    }
    for (const id of ['0', '-1', '-0', '9223372036854775807', '-9223372036854775808']) {
      const refused = await update(id, {})
      expect(refused.status, id).toBe(404)
      expect(complaintsOf(refused)).toEqual(['scheduleId update.unknown-id'])
    }
    expect((await update('%37', { title: 'Escaped' })).body).toMatchObject({ id: FIRST, title: 'Escaped' })
  },
})

/** Creates a few schedules, with refusals between them, and answers their ids. */
async function idsOf({ create, update }: Tester): Promise<number[]> {
  const ids: number[] = []
  for (let count = 0; count < 4; count++) {
    const created = await create(weekly())
    expect(rowsOf(created)).toContain('create.ids')
    ids.push((created.body as { id: number }).id)
    await create({})
    await update(999, weekly())
  }
  return ids
}

describeBehaviour('create.ids', {
  // The six schedules that come with the package have the first six.
  default: async (tester) => {
    expect((await tester.update(1, {})).status).toBe(200)
    expect((await tester.update(0, {})).status).toBe(404)
    expect(await idsOf(tester)).toEqual([7, 8, 9, 10])
    expect(rowsOf(await tester.update(7, {}))).not.toContain('create.ids')
    tester.standin.reset()
    expect(await idsOf(tester)).toEqual([7, 8, 9, 10])
  },
  '500': async (tester) => {
    expect((await tester.update(500, {})).status).toBe(200)
    expect((await tester.update(499, {})).status).toBe(404)
    expect(await idsOf(tester)).toEqual([506, 507, 508, 509])
  },
})

test('creates that come at once get ids of their own', async () => {
  const { create } = createTester()
  const created = await Promise.all(Array.from({ length: 20 }, () => create(weekly())))
  const ids = created.map(({ body }) => (body as { id: number }).id).sort((a, b) => a - b)
  expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => FIRST + index))
})

/** Whether a create is refused because another schedule has the same. */
async function conflicts({ create }: Tester, parts: Readonly<Record<string, unknown>>): Promise<boolean> {
  const response = await create(weekly(parts))
  if (response.status === 200) return false
  expect(response.status).toBe(409)
  expect(complaintsOf(response)).toHaveLength(1)
  expect(complaintsOf(response)[0]).toMatch(/ create\.duplicate$/)
  expect(rowsOf(response)).toContain('create.duplicate')
  return true
}

describeBehaviour('create.duplicate', {
  allow: async (tester) => {
    const first = (await tester.create(weekly())).body as object
    expect((await tester.create(weekly())).body).toEqual({ ...first, id: FIRST + 1 })
  },
  'conflict-on-view': async (tester) => {
    expect(await conflicts(tester, {})).toBe(false)
    expect(await conflicts(tester, {})).toBe(true)
    expect(await conflicts(tester, { title: 'Another', pageId: 101 })).toBe(true)
    expect(await conflicts(tester, { viewId: 201 })).toBe(false)
    await tester.update(FIRST, { viewId: 202 })
    expect(await conflicts(tester, { viewId: 202 })).toBe(true)
    expect(await conflicts(tester, {})).toBe(false)
    expect((await tester.update(FIRST, {})).body).toHaveProperty('id', FIRST)
    expect((await tester.create(weekly({ viewId: 203 }))).body).toHaveProperty('id', FIRST + 3)
  },
  'conflict-on-title': async (tester) => {
    expect(await conflicts(tester, { title: 'Mine' })).toBe(false)
    expect(await conflicts(tester, { title: 'Mine', viewId: 201 })).toBe(true)
    expect(await conflicts(tester, { title: 'mine' })).toBe(false)
    expect(await conflicts(tester, { title: 'Board summary' })).toBe(true)
  },
})

test('large ids are in conflict only when all their digits are the same', async () => {
  const { create } = createTester({ behaviours: { 'create.duplicate': 'conflict-on-view' } })
  expect((await create(withTexts({ viewId: '9007199254740993' }))).status).toBe(200)
  expect((await create(withTexts({ viewId: '9007199254740992' }))).status).toBe(200)
  expect((await create(withTexts({ viewId: '9007199254740993' }))).status).toBe(409)
})

/** Many whole updates at once; what is stored afterwards must be one of them. */
async function race(tester: Tester): Promise<void> {
  await tester.create(whole())
  const bodies = Array.from({ length: 12 }, (_, index) =>
    whole(
      { title: `Title ${index}`, pageId: 300 + index, viewId: 400 + index },
      { hourOfDay: index, minOfHour: index },
    ),
  )
  const settings = await Promise.all(bodies.map((body) => tester.update(FIRST, body)))
  for (const [index, answer] of settings.entries()) expect(answer.body).toMatchObject({ title: `Title ${index}` })
  const stored = (await storedOf(tester)) as { title: string; schedule: { hourOfDay: number } }
  const index = stored.schedule.hourOfDay
  expect(stored).toMatchObject({
    title: `Title ${index}`,
    pageId: 300 + index,
    reportViewId: 400 + index,
    schedule: { minOfHour: index },
  })
}

describeBehaviour(
  'update.concurrent',
  {
    'last-write-wins': async (tester) => {
      await race(tester)
      const first = await tester.update(FIRST, { title: 'One' })
      expect(first.headers).not.toHaveProperty('etag')
      expect(rowsOf(first)).not.toContain('update.concurrent')
      const second = await tester.update(FIRST, { title: 'Two' }, { 'If-Match': '"stale"' })
      expect(second.body).toHaveProperty('title', 'Two')
      expect(rowsOf(second)).toContain('update.concurrent')
    },
    etag: async (tester) => {
      await race(tester)
      const { create, update } = tester
      const created = await create(weekly())
      const id = FIRST + 1
      const tag = String(created.headers.etag)
      expect(tag).toMatch(/^"[^"]+"$/)
      expect(rowsOf(created)).toContain('update.concurrent')
      const unchanged = await update(id, {}, { 'If-Match': tag })
      expect(unchanged.headers).toHaveProperty('etag', tag)
      const second = await update(id, { title: 'Second' }, { 'If-Match': tag })
      expect(second.status).toBe(200)
      expect(second.headers.etag).not.toBe(tag)
      for (const stale of [tag, `W/${String(second.headers.etag)}`, '"', 'nonsense', `${tag}, "other"`]) {
        const refused = await update(id, { title: 'Third' }, { 'If-Match': stale })
        expect(refused.status, stale).toBe(412)
        expect(complaintsOf(refused)).toEqual(['header update.concurrent'])
        expect(rowsOf(refused)).toContain('update.concurrent')
      }
      const kept = await update(id, {})
      expect(kept.body).toHaveProperty('title', 'Second')
      expect(kept.headers.etag).toBe(second.headers.etag)
      for (const fresh of ['*', `${tag}, ${String(second.headers.etag)}`, undefined]) {
        const headers: Record<string, string> = fresh === undefined ? {} : { 'If-Match': fresh }
        expect((await update(id, {}, headers)).status).toBe(200)
      }
      const both = await Promise.all(
        ['A', 'B'].map((title) => update(id, { title }, { 'If-Match': String(kept.headers.etag) })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    },
  },
  seen,
)

describeBehaviour(
  'write.refused',
  {
    default: async (tester) => {
      const before = (await tester.create(whole())).body as unknown
      const refusals = [
        whole({ title: ' ' }),
        whole({ title: 'New', pageId: -1 }),
        whole({ title: 'New', viewId: 'x' }),
        whole({ title: 'New', attachmentInclude: 'yes' }),
        whole({ title: 'New', pageId: 5 }, { hourOfDay: 24 }),
        whole({ title: 'New' }, { timezone: 'Mars/Olympus' }),
        whole({ title: 'New' }, { additionalRecipients: [JANE, { type: 'EMAIL', value: 'nobody' }] }),
        '{"title":"New"',
        '["New"]',
        'null',
      ]
      for (const body of refusals) {
        expect((await tester.update(FIRST, body)).status).toBe(400)
        expect((await tester.create(body)).status).toBe(400)
        expect((await tester.create(body, { 'Content-Type': 'text/plain' })).status).toBe(415)
        expect((await tester.update(FIRST, whole({ title: 'New' }), { [KEY_HEADER]: '' })).status).toBe(401)
        expect(await storedOf(tester)).toEqual(before)
      }
      expect((await tester.create(weekly())).body).toHaveProperty('id', FIRST + 1)
    },
  },
  seen,
)
