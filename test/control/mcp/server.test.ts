import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { McpError, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMcpServer, type McpOptions } from '../../../src/control/mcp/server.ts'
import { createControlClient, createStandin, type Info, type StandinOptions } from '../../../src/index.ts'
import { CLI, startCommand } from '../../support/command.ts'

async function serve(options: StandinOptions = {}): Promise<string> {
  const standin = createStandin({ port: 0, seed: 7, ...options })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  return url
}

async function connectTo(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'an-editor', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

/** A coding agent's side: the SDK's client with `standin mcp` as its child. */
function start(args: readonly string[]): Promise<Client> {
  return connectTo(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', ...args] }))
}

/** The same in this process. */
async function connect(options: Partial<McpOptions> = {}): Promise<Client> {
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair()
  await createMcpServer({ url: 'http://127.0.0.1:9', mayChange: false, version: '1', ...options }).connect(ofServer)
  return connectTo(ofClient)
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const result = (await client.callTool({ name, arguments: given })) as CallToolResult
  const [content] = result.content
  const text = content?.type === 'text' ? content.text : ''
  return { isError: result.isError === true, text }
}

async function read<Result = unknown>(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { isError, text } = await call(client, name, given)
  expect(isError, text).toBe(false)
  return JSON.parse(text) as Result
}

const KEY = { 'X-SERVICE-Developer-Token': 'any', 'Content-Type': 'application/json' }

test('an agent finds out why a request of a client failed', async () => {
  const url = await serve()
  await fetch(`${url}/api/files/v1/filesets/demo/files/search?limit=0`, { method: 'POST', headers: KEY, body: '{}' })
  const client = await start(['--url', url])
  expect(client.getInstructions()).toContain('Begin with getInfo')
  const { operations } = await read<Info>(client, 'getInfo')
  expect(operations.map(({ operationId }) => operationId)).toContain('searchFiles')
  const { exchanges } = await read<{ exchanges: object[] }>(client, 'listExchanges', { status: '4XX' })
  expect(exchanges).toHaveLength(1)
  expect(JSON.stringify(exchanges)).toContain('limit.zero')
})

test('an agent searches, and asks why a file is not in the result', async () => {
  const client = await connect({ url: await serve() })
  const search = { operationId: 'searchFiles', path: { fileSetId: 'demo' }, query: { limit: 1 }, body: {} }
  const { status, body } = await read<{ status: number; body: { files: { path: string }[] } }>(
    client,
    'sendRequest',
    search,
  )
  expect(status).toBe(200)
  const [file] = body.files
  const explained = await read(client, 'explain', {
    body: {
      search: { fileSetId: 'demo', body: { filters: [{ field: 'name', operator: 'LIKE', value: ['no such name'] }] } },
      file: { path: file?.path },
    },
  })
  expect(JSON.stringify(explained)).toContain('no such name')
})

describe('without --allow-changes', () => {
  test('only tools that read are offered', async () => {
    const client = await connect({ url: await serve() })
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(20)
    expect(tools.filter((tool) => tool.annotations?.readOnlyHint !== true)).toEqual([])
  })

  test('what changes something is refused, with the remedy', async () => {
    const url = await serve()
    const client = await connect({ url })
    await expect(client.callTool({ name: 'reset' })).rejects.toThrow(McpError)
    await expect(client.callTool({ name: 'reset' })).rejects.toThrow('standin mcp --allow-changes')
    const create = await call(client, 'sendRequest', { operationId: 'createReportSchedule', body: {} })
    expect(create).toEqual({
      isError: true,
      text: 'POST /api/content/v1/reportschedules may change the service, and this MCP server only reads. Start it with standin mcp --allow-changes.',
    })
    expect((await createControlClient({ url }).listExchanges()).exchanges).toEqual([])
  })

  test('a search creates no sandbox, however it is named', async () => {
    const url = await serve()
    const client = await connect({ url })
    const search = { operationId: 'searchFiles', path: { fileSetId: 'demo' }, body: {} }
    const byHeader = await call(client, 'sendRequest', { ...search, headers: { 'x-mock-sandbox': 'new' } })
    expect(byHeader).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no sandbox "new"') as string,
    })
    expect(await call(client, 'sendRequest', { ...search, sandbox: 'new' })).toMatchObject({ isError: true })
    const key = { 'X-SERVICE-Developer-Token': 'any@new' }
    expect(await read(client, 'sendRequest', { ...search, headers: key })).toMatchObject({ status: 200 })
    const { sandboxes } = await createControlClient({ url }).listSandboxes()
    expect(sandboxes.map(({ name }) => name)).toEqual(['default'])
  })
})

test('with --allow-changes an agent arms a fault, moves the clock, and resets a sandbox of its own', async () => {
  const url = await serve()
  const client = await start(['--url', url, '--sandbox', 'agent', '--allow-changes'])
  await read(client, 'armFaults', { body: { kind: 'status', status: 503, times: 1 } })
  const search = { operationId: 'searchFiles', path: { fileSetId: 'demo' }, body: {} }
  expect(await read(client, 'sendRequest', search)).toMatchObject({ status: 503 })
  expect(await read(client, 'sendRequest', search)).toMatchObject({ status: 200 })
  const schedule = {
    title: 'Weekly',
    pageId: 1,
    viewId: 2,
    schedule: {
      frequency: 'WEEKLY',
      daysToRun: 'MON',
      hourOfDay: 9,
      minOfHour: 0,
      timezone: 'Europe/Oslo',
      enabled: true,
    },
  }
  expect(await read(client, 'sendRequest', { operationId: 'createReportSchedule', body: schedule })).toMatchObject({
    status: 200,
  })
  const { runs } = await read<{ runs: object[] }>(client, 'advanceClock', { body: { by: 'P14D' } })
  expect(runs.length).toBeGreaterThan(0)
  const control = createControlClient({ url, sandbox: 'agent' })
  await read(client, 'reset')
  expect((await control.listExchanges()).exchanges).toEqual([])
  // Another sandbox, named by an argument.
  expect(await read(client, 'listFaults', { sandbox: 'default' })).toEqual({ faults: [] })
})

test('every schema of an argument is a valid schema, and each tool says what it does', async () => {
  const client = await connect({ mayChange: true })
  const { tools } = await client.listTools()
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const tool of tools) {
    expect(() => ajv.compile(tool.inputSchema), tool.name).not.toThrow()
    expect(tool.description?.length, tool.name).toBeGreaterThan(20)
    expect(JSON.stringify(tool.inputSchema)).not.toContain('#/components')
  }
})

test.for<[string, Record<string, unknown>, string, unknown?]>([
  ['getInfo', {}, 'GET /__mock/info'],
  ['listFaults', { sandbox: 'a' }, 'GET /__mock/faults sandbox a'],
  ['getExchange', { exchangeId: 'a/b' }, 'GET /__mock/journal/a%2Fb'],
  ['listExchanges', { status: '4XX', limit: 2 }, 'GET /__mock/journal?status=4XX&limit=2'],
  ['listFiles', { fileSetId: 'demo', limit: 1 }, 'GET /__mock/file-sets/demo/files?limit=1'],
  ['advanceClock', { body: { by: 'P1D' } }, 'POST /__mock/clock/advance', { by: 'P1D' }],
  ['deleteSandbox', { name: 'a' }, 'DELETE /__mock/sandboxes/a'],
])('%s %j asks for %s', async ([name, given, request, body]) => {
  const seen: unknown[] = []
  const fetch: McpOptions['fetch'] = (url, init) => {
    const sandbox = new Headers(init.headers).get('X-Mock-Sandbox')
    seen.push(
      `${init.method} ${url.slice('http://127.0.0.1:9'.length)}${sandbox === null ? '' : ` sandbox ${sandbox}`}`,
    )
    if (typeof init.body === 'string') seen.push(JSON.parse(init.body))
    return Promise.resolve(Response.json({}))
  }
  await call(await connect({ mayChange: true, fetch }), name, given)
  expect(seen).toEqual(body === undefined ? [request] : [request, body])
})

test.for<[string, Record<string, unknown>, string]>([
  ['getExchange', {}, 'getExchange needs exchangeId.'],
  ['getExchange', { exchangeId: 99 }, '99'],
  ['listExchanges', { stats: '4XX' }, 'listExchanges has no argument "stats". Did you mean status?'],
  ['armFaults', { body: { kind: 'statuss' } }, 'body/kind'],
  ['sendRequest', { operationId: 'searchFile' }, 'Did you mean searchFiles?'],
  ['sendRequest', { operationId: 'searchFiles', body: {} }, 'searchFiles needs "fileSetId" in `path`'],
])('a wrong call says what to do: %s %j', async ([name, given, message]) => {
  const client = await connect({ url: await serve(), mayChange: true })
  expect(await call(client, name, given)).toEqual({ isError: true, text: expect.stringContaining(message) as string })
})

test('an unknown tool is refused with the nearest one', async () => {
  const client = await connect()
  await expect(client.callTool({ name: 'listExchange' })).rejects.toThrow('Did you mean listExchanges?')
})

test('without a server a tool says how to start one', async () => {
  const client = await connect()
  const { isError, text } = await call(client, 'getInfo')
  expect(isError).toBe(true)
  expect(text).toContain('Start one with standin serve')
})

test('a long result is cut off, and says how to ask for less', async () => {
  const client = await connect({ url: await serve({ files: 2000 }) })
  const { text } = await call(client, 'listFiles', { fileSetId: 'demo' })
  expect(text.length).toBeLessThan(61_000)
  expect(text).toMatch(/cut off after 60,000 of \d+,\d+ characters. Ask for less/)
})

test('the setup of docs/agents.md works, and its tools are those that there are', async () => {
  const page = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8')
  const setup = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const { args } = (JSON.parse(setup) as { mcpServers: { standin: { args: string[] } } }).mcpServers.standin
  expect(args.slice(0, 2)).toEqual(['standin', 'mcp'])
  const client = await start(args.slice(2))
  const table = page.slice(page.indexOf('| To find out'), page.indexOf('`sendRequest` sends'))
  const named = [...table.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  const { tools } = await client.listTools()
  expect(new Set(named)).toEqual(new Set(tools.map((tool) => tool.name)))
})

test('an address that is none is refused at start', async () => {
  const command = startCommand(['mcp', '--url', 'ftp://localhost'])
  expect(await command.ended).toBe(1)
  expect(command.stderr()).toContain('--url: Expected the address of a server, such as http://127.0.0.1:4010')
})
