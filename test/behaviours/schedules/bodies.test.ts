import { expect, test } from 'vitest'
import { describeBehaviour } from '../../support/describe-behaviour.ts'
import { complaintsOf, createTester, rowsOf, weekly } from '../../support/tester.ts'
import { FIRST, seen, JANE, whole, REQUIRED, storedOf, scheduleOf, withTexts } from '../../support/stored-schedules.ts'

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
