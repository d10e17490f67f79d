import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { readServer, type ServerFlags } from '../address.ts'
import { createMcpServer } from '../../control/mcp/server.ts'
import { packageVersion } from '../../base/formats/source-file.ts'

export interface McpFlags extends ServerFlags {
  readonly allowChanges?: boolean
}

/** `standin mcp`: serves the Model Context Protocol over standard input and output, until the input ends. */
export async function mcp(flags: McpFlags): Promise<void> {
  const server = createMcpServer({
    ...readServer(flags),
    mayChange: flags.allowChanges === true,
    version: packageVersion(),
  })
  await server.connect(new StdioServerTransport())
}
