import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { listTools, type Tool, isOperation, parametersOf } from './tools.ts'
import { type ControlClientOptions, ControlError, callOperation, createControlClient } from '../client/client.ts'
import { didYouMean } from '../../base/errors/wording.ts'
import { stringifyJson, tryParseJson } from '../../base/formats/json.ts'
import type { Info } from '../client/types.ts'

/** A Model Context Protocol server for a running Standin: what its control API can do, as tools of a coding agent. */

export interface McpOptions extends ControlClientOptions {
  /** Whether there are tools that change something. */
  readonly mayChange: boolean
  readonly version: string
}

/** Characters of a result; a model's context is small, and more of it is a page away. */
const MAX_RESULT = 60_000

const INSTRUCTIONS = `Standin is a stateful mock server for an OpenAPI contract. Begin with getInfo. Each sandbox has its own state, clock, faults and
journal; name one with the argument \`sandbox\`, else it is "default". When a client of the service fails, read its requests with listExchanges.`

/** Creates a server; connect it to a transport. */
export function createMcpServer(options: McpOptions): McpServer {
  const { mayChange, version } = options
  const tools = listTools(mayChange)
  const mcp = new McpServer(
    { name: 'standin', title: 'Standin', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS.replaceAll('\n', ' ') },
  )
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  mcp.server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    respond(findTool(params.name, tools, mayChange), params.arguments ?? {}, options),
  )
  return mcp
}

function findTool(name: string, tools: readonly Tool[], mayChange: boolean): Tool {
  const tool = tools.find((one) => one.name === name)
  if (tool) return tool
  const names = tools.map((one) => one.name)
  const isLocked = !mayChange && listTools(true).some((one) => one.name === name)
  const why = isLocked
    ? `${name} changes something, and this MCP server only reads. Start it with standin mcp --allow-changes.`
    : `There is no tool ${JSON.stringify(name)}.${didYouMean(name, names)} There are: ${names.join(', ')}.`
  throw new McpError(ErrorCode.InvalidParams, why)
}

async function respond(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  options: ControlClientOptions,
): Promise<CallToolResult> {
  try {
    const result = (await callTool(tool, given, options)) ?? {}
    return { content: [{ type: 'text', text: shortened(stringifyJson(result)) }] }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { content: [{ type: 'text', text: explained(error) }], isError: true }
  }
}

/** What is wrong with each part of the arguments, one a line. */
function explained(error: Error): string {
  if (!(error instanceof ControlError)) return error.message
  const places = error.errors.map(({ pointer, parameter, message }) => {
    const place = parameter ?? (pointer === undefined ? undefined : `body${pointer}`)
    return place === undefined ? message : `${place}: ${message}`
  })
  return [error.message, ...places.filter((place) => place !== error.message)].join('\n')
}

function shortened(text: string): string {
  if (text.length <= MAX_RESULT) return text
  const count = text.length.toLocaleString('en')
  return `${text.slice(0, MAX_RESULT)}\n… cut off after ${MAX_RESULT.toLocaleString('en')} of ${count} characters. Ask for less: pass a smaller \`limit\`, or a filter.`
}

type InfoOperation = Info['operations'][number]

type Arguments = Readonly<Record<string, unknown>>

/** A tool's arguments are wrong; the message is for the model that gave them. */
class ArgumentError extends Error {}

/** Milliseconds. */
const PATIENCE = 60_000

/**
 * Calls a tool.
 *
 * @returns what the control API responds, or the response of the service
 * @throws ArgumentError, ControlError, or TypeError when no server responds
 */
async function callTool(tool: Tool, given: Arguments, options: ControlClientOptions): Promise<unknown> {
  checkNames(tool, given)
  const { sandbox, ...rest } = given
  const inSandbox = typeof sandbox === 'string' ? { ...options, sandbox } : options
  if (!isOperation(tool.name)) return sendRequest(rest, inSandbox, !tool.annotations.readOnlyHint)
  const { path, hasBody } = parametersOf(tool.name)
  const { body, ...others } = rest
  const query = Object.fromEntries(Object.entries(others).filter(([name]) => !path.includes(name)))
  return callOperation(tool.name, [...path.map((name) => rest[name]), hasBody ? body : query], inSandbox)
}

/** The control API checks values; names that it does not know, it ignores. */
function checkNames({ name, inputSchema }: Tool, given: Arguments): void {
  const { properties, required } = inputSchema as unknown as {
    readonly properties: Arguments
    readonly required: readonly string[]
  }
  const known = Object.keys(properties)
  const unknown = Object.keys(given).find((one) => !known.includes(one))
  if (unknown !== undefined)
    throw new ArgumentError(
      `${name} has no argument ${JSON.stringify(unknown)}.${didYouMean(unknown, known)} Its arguments are: ${known.join(', ')}.`,
    )
  const missing = required.filter((one) => given[one] === undefined)
  if (missing.length > 0)
    throw new ArgumentError(`${name} needs ${missing.join(', ')}. Its arguments are: ${known.join(', ')}.`)
}

async function sendRequest(given: Arguments, options: ControlClientOptions, mayChange: boolean): Promise<unknown> {
  const { url, sandbox } = options
  const { operations } = (await callOperation('getInfo', [{}], options)) as Info
  const operation = findOperation(String(given.operationId), operations)
  if (!mayChange && !isRead(operation))
    throw new ArgumentError(
      `${operation.method} ${operation.path} may change the service, and this MCP server only reads. Start it with standin mcp --allow-changes.`,
    )
  const headers = new Headers({
    ...keysOf(operation),
    ...(sandbox === undefined ? {} : { 'X-Mock-Sandbox': sandbox }),
    ...(given.body === undefined ? {} : { 'Content-Type': 'application/json' }),
  })
  for (const [name, value] of Object.entries((given.headers ?? {}) as Readonly<Record<string, string>>))
    headers.set(name, value)
  if (!mayChange) await keepToSandboxes(headers, options)
  const response = await fetch(`${url}${addressOf(operation, given)}`, {
    method: operation.method,
    headers,
    ...(given.body === undefined ? {} : { body: stringifyJson(given.body) }),
    signal: AbortSignal.timeout(PATIENCE),
  })
  const text = await response.text()
  const json = tryParseJson(text)
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: json === undefined && text !== '' ? text : json,
  }
}

/** A request to a sandbox that does not exist creates it. The header counts before a key that names one, so it is always sent. */
async function keepToSandboxes(headers: Headers, options: ControlClientOptions): Promise<void> {
  const name = headers.get('X-Mock-Sandbox') ?? DEFAULT_SANDBOX
  const { sandboxes } = await createControlClient(options).listSandboxes()
  const names = sandboxes.map((one) => one.name)
  if (!names.includes(name))
    throw new ArgumentError(
      `There is no sandbox ${JSON.stringify(name)}, and this MCP server only reads, so it creates none.${didYouMean(name, names)} There are: ${names.slice(0, 20).join(', ')}.`,
    )
  headers.set('X-Mock-Sandbox', name)
}

const DEFAULT_SANDBOX = 'default'

function findOperation(operationId: string, operations: readonly InfoOperation[]): InfoOperation {
  const ids = operations.map((one) => one.operationId)
  const operation = operations.find((one) => one.operationId === operationId)
  if (operation) return operation
  const known = ids.length > 20 ? 'getInfo lists them' : `There are: ${ids.join(', ')}`
  throw new ArgumentError(
    `The contract has no operation ${JSON.stringify(operationId)}.${didYouMean(operationId, ids)} ${known}.`,
  )
}

function isRead({ method, handler }: InfoOperation): boolean {
  return method === 'GET' || method === 'HEAD' || handler === 'searchFiles'
}

function addressOf({ operationId, path, basePath = '' }: InfoOperation, { path: inPath, query }: Arguments): string {
  const values = (inPath ?? {}) as Readonly<Record<string, string | number>>
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => {
    const value = values[name]
    if (value === undefined)
      throw new ArgumentError(`${operationId} needs ${JSON.stringify(name)} in \`path\`: its path is ${path}.`)
    return encodeURIComponent(value)
  })
  const given = Object.entries((query ?? {}) as Readonly<Record<string, string | number | boolean>>)
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return `${basePath}${filled}${search === '' ? '' : `?${search}`}`
}

function keysOf({ keyHeaders }: InfoOperation): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(keyHeaders).map(([name, value]) => [name, value.replace('{key}', 'mcp')]))
}
