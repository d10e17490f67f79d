import type { Command } from 'commander'
import { withExamples } from '../flags.ts'
import type { McpFlags } from './mcp.ts'

export function addMcp(command: Command): void {
  command
    .description('serve the Model Context Protocol over standard input and output, for coding agents')
    .option('--url <url>', 'the running server (default: STANDIN_URL or http://127.0.0.1:4010)')
    .option('--sandbox <name>', 'the sandbox of tools that are called without one (default: default)')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .option('--allow-changes', 'offer the tools that change something, too')
    .action(async (flags: McpFlags) => (await import('./mcp.ts')).mcp(flags))
  withExamples(command, [
    ['standin mcp --url http://127.0.0.1:4020', 'let an agent look into the server there'],
    ['standin mcp --url http://127.0.0.1:4020 --sandbox checkout --allow-changes', 'and change one sandbox'],
  ])
}
