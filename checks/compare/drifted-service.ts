import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createStandin, type Standin } from '../../src/index.ts'
import { isObject, parseJson, stringifyJson } from '../../src/base/formats/json.ts'

/** What the service does differently from what the stand-in says: the settings that would have it so. */
export const DRIFTED_BEHAVIOURS = {
  'page.last': 'null',
  'like.case': 'sensitive',
  'sort.nulls': 'first',
  'dir.missing': '404',
  'update.omitted': 'clear',
} as const

type Members = Readonly<Record<string, unknown>>

interface ShapeDrift {
  /** For people. */
  readonly what: string
  /** Where a comparison has to find it. */
  readonly where: string
  readonly change: (body: Members) => Members
}

const eachFile = (change: (file: Members) => Members) => (body: Members) =>
  Array.isArray(body.files) ? { ...body, files: (body.files as readonly Members[]).map(change) } : body

const inSchedule = (change: (schedule: Members) => Members) => (body: Members) =>
  isObject(body.schedule) ? { ...body, schedule: change(body.schedule) } : body

/** How its responses look different from the contract, as services change over the years. */
export const DRIFTED_SHAPES: readonly ShapeDrift[] = [
  {
    what: 'size is a text',
    where: '/files/*/size',
    change: eachFile((file) => (typeof file.size === 'number' ? { ...file, size: String(file.size) } : file)),
  },
  {
    what: 'hashAlgorithm is gone',
    where: '/files/*/hashAlgorithm',
    change: eachFile((file) => Object.fromEntries(Object.entries(file).filter(([name]) => name !== 'hashAlgorithm'))),
  },
  {
    what: 'files have a new member, version',
    where: '/files/*/version',
    change: eachFile((file) => ({ ...file, version: 1 })),
  },
  {
    what: 'createdBy is null',
    where: '/files/*/createdBy',
    change: eachFile((file) => ({ ...file, createdBy: null })),
  },
  {
    what: 'nextRunDate is a timestamp in text',
    where: '/schedule/nextRunDate',
    change: inSchedule((schedule) =>
      typeof schedule.nextRunDate === 'number'
        ? { ...schedule, nextRunDate: new Date(schedule.nextRunDate).toISOString() }
        : schedule,
    ),
  },
]

interface DriftedService {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the service: a stand-in with other settings, whose responses are changed on their way. */
export async function startDriftedService(): Promise<DriftedService> {
  const standin = createStandin({ behaviours: DRIFTED_BEHAVIOURS })
  const server = createServer((request, response) => void respond(standin, request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
      await standin.stop()
    },
  }
}

async function respond({ fetch }: Standin, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request)
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    /^(host|connection|content-length)$/.test(name) ? [] : [[name, String(value)]],
  )
  const received = await fetch(request.url ?? '/', {
    method: request.method ?? 'GET',
    headers,
    ...(body.length === 0 ? {} : { body }),
  })
  const text = await received.text()
  const isJson = received.headers.get('content-type')?.startsWith('application/json') === true
  response.statusCode = received.status
  for (const [name, value] of received.headers)
    if (!/^(x-mock-.*|content-length|transfer-encoding|connection)$/.test(name)) response.setHeader(name, value)
  response.end(isJson ? stringifyJson(drift(parseJson(text) as Members)) : text)
}

function drift(body: Members): Members {
  return DRIFTED_SHAPES.reduce((changed, { change }) => change(changed), body)
}
