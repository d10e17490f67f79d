import { expect, test } from 'vitest'
import { contractFile, type Parts } from '../../support/contracts/own-contract.ts'
import { createTester, weekly } from '../../support/tester.ts'

const text = { type: 'string' }

function creating(change: (properties: Record<string, unknown>) => void, required: readonly string[] = []) {
  const contract = contractFile(({ at, properties }: Parts) => {
    change(properties('ReportScheduleResponse'))
    at('/components/schemas/ReportScheduleResponse').required = required
  })
  const { create } = createTester({ contract })
  return async (body: unknown = weekly()) => {
    const response = await create(body)
    expect(response.status).toBe(200)
    return response.body as Record<string, unknown>
  }
}

test('what we know by a name is not said where the contract means something else by it', async () => {
  const create = creating(
    (properties) => Object.assign(properties, { owner: text, boss: text, viewName: { type: 'boolean' }, type: texts }),
    ['owner', 'boss', 'viewName'],
  )
  const { owner, boss, viewName, type } = await create()
  expect([typeof owner, typeof boss, typeof viewName, type]).toEqual(['string', 'string', 'boolean', undefined])
})

const texts = { type: 'array', items: text }

test('a number that the contract documents as a string is sent as one', async () => {
  const create = creating((properties) => Object.assign(properties, { id: text, ownerId: text }), ['id', 'ownerId'])
  expect(await create()).toMatchObject({ id: '7', ownerId: '1', reportViewId: 200 })
})

test('generated values are believable and valid, and depend on the seed and the resource', async () => {
  const required = {
    code: { ...text, pattern: '^[A-Z]{2}-\\d{4}$' },
    contact: { ...text, format: 'email' },
    city: text,
    level: { type: 'integer', minimum: 3, maximum: 5 },
    note: { ...text, minLength: 40 },
    links: { type: 'array', minItems: 2, items: { ...text, format: 'uri' } },
  }
  const contract = contractFile(({ at, properties }) => {
    for (const name of ['ReportScheduleResponse', 'FileRecord']) {
      const schema = at(`/components/schemas/${name}`)
      Object.assign(properties(name), required)
      schema.required = [...((schema.required ?? []) as string[]), ...Object.keys(required)]
    }
  })
  const made = async (seed: number) => {
    const { create, search } = createTester({ contract, seed, files: 30 })
    const schedules = [await create(weekly()), await create(weekly({ title: 'Other', viewId: 9 }))]
    const { files } = (await search({ set: 'demo' })).body as { files: Record<string, unknown>[] }
    const things = [...schedules.map(({ body }) => body as Record<string, unknown>), ...files.filter((one) => one.code)]
    return things.map((thing) => Object.keys(required).map((name) => thing[name]))
  }
  const [one, again, other] = await Promise.all([made(1), made(1), made(2)])
  expect(one).toEqual(again)
  expect(one).not.toEqual(other)
  expect(new Set(one.map(([code]) => code)).size).toBeGreaterThan(20)
  for (const [code, contact, city, level, note] of one) {
    expect(code).toMatch(/^[A-Z]{2}-\d{4}$/)
    expect(contact).toMatch(/@/)
    expect(city).toMatch(/^[A-Z]/)
    expect([3, 4, 5]).toContain(level)
    expect(String(note).length).toBeGreaterThanOrEqual(40)
  }
})
