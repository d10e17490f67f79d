import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer } from '../mcp/server.ts'
import { StartupError } from '../errors/problem.ts'
import { readPackaged } from '../formats/source-file.ts'

export interface McpFlags {
  readonly url?: string
  readonly sandbox?: string
  readonly controlToken?: string
  readonly allowChanges?: boolean
}

const DEFAULT_URL = 'http://127.0.0.1:4010'

/** `standin mcp`: serves the Model Context Protocol over standard input and output, until the input ends. */
export async function mcp(flags: McpFlags): Promise<void> {
  const url = readUrl(flags.url ?? process.env.STANDIN_URL ?? DEFAULT_URL)
  const token = flags.controlToken ?? process.env.STANDIN_CONTROL_TOKEN
  const server = createMcpServer({
    url,
    ...(flags.sandbox === undefined ? {} : { sandbox: flags.sandbox }),
    ...(token === undefined ? {} : { token }),
    mayChange: flags.allowChanges === true,
    version: (readPackaged('package.json').value as { readonly version: string }).version,
  })
  await server.connect(new StdioServerTransport())
}

function readUrl(given: string): string {
  const url = URL.parse(given)
  if (url && /^https?:$/.test(url.protocol)) return given.replace(/\/+$/, '')
  throw new StartupError([`--url: Expected an address such as ${DEFAULT_URL}; got ${JSON.stringify(given)}.`])
}
