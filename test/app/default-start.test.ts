import { describe, expect, onTestFinished, test } from 'vitest'
import { createControlClient, createStandin } from '../../src/index.ts'
import { KEY_HEADER, NOW, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'

/** The main paths as users start Standin: listening, with the default data, and without `selfCheck`, which most other tests switch on. */

const SETTINGS = [{}, { selfCheck: true }]
const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }

async function start(settings: object) {
  const standin = createStandin({ clock: new Date(NOW), ...settings })
  onTestFinished(() => standin.stop())
  const url = await standin.start()
  const send = (method: string, path: string, body?: unknown) =>
    fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
  const search = async (query: string, body: unknown = {}) => {
    const response = await send('POST', `${SEARCH}/demo/files/search?${query}`, body)
    return (await response.json()) as { files: { path: string; name: string }[]; pageContext: { next?: string } }
  }
  return { send, search, control: createControlClient({ url }) }
}

describe.each(SETTINGS)('started with %j', (settings) => {
  test('the pages of a search, joined together, are the whole result', async () => {
    const { search } = await start(settings)
    const { files: whole } = await search('limit=100000')
    expect(whole.length).toBeGreaterThan(1000)
    const paths: string[] = []
    let next: string | undefined
    do {
      const page = await search(`limit=400${next === undefined ? '' : `&next=${encodeURIComponent(next)}`}`)
      paths.push(...page.files.map(({ path }) => path))
      next = page.pageContext.next
    } while (next !== undefined)
    expect(paths).toEqual(whole.map(({ path }) => path))
  })

  test('a search filters and sorts', async () => {
    const { search } = await start(settings)
    const { files } = await search('limit=1000', {
      fieldSort: [{ field: 'name', order: 'ASC' }],
      filters: [{ field: 'name', operator: 'LIKE', value: ['%.pdf'], not: false }],
    })
    const names = files.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !name.endsWith('.pdf'))).toEqual([])
    expect(names).toEqual(names.toSorted())
  })

  test('a schedule is created, updated and shown by the control API', async () => {
    const { send, control } = await start(settings)
    const created = (await (await send('POST', SCHEDULES, weekly())).json()) as { id: number }
    expect(created).toMatchObject({ title: 'Weekly sales', pageId: 100, reportViewId: 200 })
    const updated = await send('PUT', `${SCHEDULES}/${created.id}`, { title: 'Renamed' })
    expect(await updated.json()).toMatchObject({
      id: created.id,
      title: 'Renamed',
      schedule: { timezone: 'America/New_York' },
    })
    expect(await control.getReportSchedule(created.id)).toMatchObject({ title: 'Renamed' })
    const { exchanges } = await control.listExchanges()
    expect(exchanges.map(({ request, answer }) => [request.method, answer?.status])).toEqual([
      ['POST', 200],
      ['PUT', 200],
    ])
    await control.reset()
    expect((await send('PUT', `${SCHEDULES}/${created.id}`, { title: 'Renamed' })).status).toBe(404)
  })
})

test('selfCheck changes no status, header or byte of a response', async () => {
  const requests: [method: string, path: string, body?: unknown][] = [
    ['POST', `${SEARCH}/demo/files/search?limit=3&unknown=1`, { filters: [{ field: 'name', value: ['a'] }] }],
    ['POST', `${SEARCH}/demo/files/search?limit=0`, {}],
    ['POST', `${SEARCH}/nowhere/files/search`, {}],
    ['POST', SCHEDULES, weekly()],
    ['POST', SCHEDULES, { title: 7 }],
    ['PUT', `${SCHEDULES}/7`, { title: 'Renamed' }],
    ['PUT', `${SCHEDULES}/99`, { title: 'Renamed' }],
    ['GET', '/nowhere'],
    ['POST', '/__mock/clock/advance', { by: 'P7D' }],
    ['GET', '/__mock/deliveries'],
    ['GET', '/__mock/history'],
  ]
  const [plain, checked] = await Promise.all(
    SETTINGS.map(async (settings) => {
      const { send } = await start(settings)
      const responses: unknown[] = []
      for (const [method, path, body] of requests) {
        const response = await send(method, path, body)
        // The control API shows the time of the machine in its own Date header.
        const sent = [...response.headers].filter(([name]) => name !== 'date')
        responses.push([method, path, response.status, sent, await response.text()])
      }
      return responses
    }),
  )
  expect(checked).toEqual(plain)
})
