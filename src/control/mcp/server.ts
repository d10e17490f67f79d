/** A Model Context Protocol server for a running Standin: what its control API can do, as tools of a coding agent. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { callTool } from './call-tool.ts'
import { listTools, type Tool } from './tools.ts'
import { type ControlClientOptions, ControlError } from '../client/client.ts'
import { didYouMean } from '../../base/errors/wording.ts'
import { stringifyJson } from '../../base/formats/json.ts'

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
