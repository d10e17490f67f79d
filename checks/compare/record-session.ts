import { isObject, stringifyJson } from '../../src/base/formats/json.ts'
import type { RecordedExchange } from '../../src/truth/recordings/recorded-exchange.ts'
import { createTarget } from '../../src/truth/recordings/target.ts'

/** Records what a client sends to a service within a few minutes of work, as a browser would. */
export async function recordSession(url: string): Promise<object> {
  const machine = { realNow: Date.now, elapsed: () => performance.now() }
  const signal = new AbortController().signal
  const target = createTarget({ url, rate: 100_000, timeout: 10_000, machine, signal })
  const exchanges: RecordedExchange[] = []
  const send = async (method: string, path: string, body: unknown) => {
    const headers = [
      { name: 'X-SERVICE-Developer-Token', value: 'secret-of-the-session' },
      { name: 'Content-Type', value: 'application/json' },
    ]
    const exchange = await target.send({ method, url: path, headers, body: stringifyJson(body) })
    exchanges.push(exchange)
    return JSON.parse(exchange.response.body ?? 'null') as unknown
  }
  await lookForFiles((query, body) => send('POST', `/api/files/v1/filesets/demo/files/search${query}`, body))
  await workOnSchedules(send)
  return createArchive(exchanges, url)
}

async function lookForFiles(search: (query: string, body: unknown) => Promise<unknown>): Promise<void> {
  const named = (value: string) => ({ filters: [{ field: 'name', operator: 'LIKE', value: [value] }] })
  let next: string | undefined = ''
  for (let page = 0; page < 3 && next !== undefined; page++) {
    const token: string = next === '' ? '' : `&next=${next}`
    next = nextOf(await search(`?limit=20${token}`, {}))
  }
  for (const word of ['Budget', 'budget', 'report', 'Certificate', 'design']) await search('?limit=50', named(word))
  await search('?directoryPath=engineering/designs/2025', {})
  await search('?directoryPath=engineering&immediateChildren=true', {})
  await search('?directoryPath=engineering/drafts', {})
  await search('?directoryPath=legal&limit=40', { fieldSort: [{ field: 'size', order: 'ASC' }] })
  await search('?limit=10', { fieldSort: [{ field: 'created', order: 'DESC' }] })
  await search('?limit=25', { dateFilters: [{ field: 'created', start: '2025-06-01T00:00:00Z', end: null }] })
}

function nextOf(page: unknown): string | undefined {
  const context = isObject(page) ? page.pageContext : undefined
  return isObject(context) && typeof context.next === 'string' ? context.next : undefined
}

type Send = (method: string, path: string, body: unknown) => Promise<unknown>

async function workOnSchedules(send: Send): Promise<void> {
  const path = '/api/content/v1/reportschedules'
  const schedule = { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, timezone: 'Europe/Berlin' }
  const made = await send('POST', path, { title: 'Weekly sales', pageId: 1204, viewId: 8421, schedule })
  const id = isObject(made) ? String(made.id) : ''
  await send('PUT', `${path}/${id}`, { schedule: { ...schedule, hourOfDay: 9 } })
  await send('PUT', `${path}/${id}`, { title: 'Weekly sales, again' })
  await send('PUT', `${path}/${id}`, {})
  await send('POST', path, {
    title: 'Month end',
    pageId: 1205,
    viewId: 8422,
    schedule: { ...schedule, frequency: 'MONTHLY', daysToRun: '15' },
  })
}

/** HAR 1.2, as browsers export it. */
function createArchive(exchanges: readonly RecordedExchange[], origin: string): object {
  const entries = exchanges.map(({ at, milliseconds, request, response }) => ({
    startedDateTime: new Date(at).toISOString(),
    time: milliseconds,
    request: {
      method: request.method,
      url: origin + request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: request.headers,
      queryString: [...new URL(origin + request.url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: -1,
      postData: { mimeType: 'application/json', text: request.body ?? '' },
    },
    response: {
      status: response.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: response.headers,
      content: {
        size: response.body?.length ?? 0,
        mimeType: response.headers.find(({ name }) => /^content-type$/i.test(name))?.value ?? '',
        text: response.body ?? '',
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
  }))
  return { log: { version: '1.2', creator: { name: 'record-session', version: '1' }, pages: [], entries } }
}
