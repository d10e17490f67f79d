import type { Command } from 'commander'
import { addFlags, withExamples } from '../flags.ts'
import type { ImportFlags } from './import.ts'

export function addImport(command: Command): void {
  addFlags(command, { settings: ['contract', 'overlay', 'allowRef'] })
    .description('make data of your own from a real folder or from recordings, or stubs from another mock server')
    .argument('[directory]', 'the folder')
    .option(
      '--har <file...>',
      'recordings instead, from a browser or `standin proxy --record`; personal data is replaced',
    )
    .option(
      '--stubs <file...>',
      'mappings of WireMock, environments of Mockoon, collections of Postman or handlers of MSW instead: as stubs',
    )
    .option('--as <name>', 'the id of the file set (default: the name of the folder)')
    .option('--out <file>', 'write the fixture there, JSON for a name that ends in .json (default: standard output)')
    .option('--force', 'replace the file of --out')
    .option('--url <url>', 'send the file set to this server, such as http://127.0.0.1:4010')
    .option('--sandbox <name>', 'the sandbox to add it to (default: default)')
    .option('--replace', 'replace a file set of that name')
    .option('--control-token <token>', 'the bearer token of that server (or STANDIN_CONTROL_TOKEN)')
    .action(async (directory: string | undefined, flags: ImportFlags) =>
      (await import('./import.ts')).importData(directory, flags),
    )
  withExamples(command, [
    ['standin import ./documents --out documents.yaml', 'write a fixture'],
    ['standin import ./documents --url http://127.0.0.1:4010 --replace', 'send it to a running server'],
    ['standin import --har recordings/*.har --out service.yaml', 'begin with the data of a service'],
    ['standin import --stubs mappings --contract openapi.yaml --out stubs.yaml', 'take over what WireMock responds'],
  ])
}
