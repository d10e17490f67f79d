/**
 * What official clients of public services say about a server that knows nothing but the services' OpenAPI documents. Each client is used as its
 * README does; a step is right if it gives what the service documents, or its error class.
 *
 *   node checks/clients/check.ts [--only REGEXP] [--update]
 *
 * Prints each step and a table. Fails when a step is missed that `results.json` has as right. `--update` writes it, and the table of docs/fidelity.md.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { serve } from '../public-documents/serve.ts'
import { fallen, pageOf, type Result, tableOf } from './report.ts'
import { type ClientSession, take } from './session.ts'

const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, update: { type: 'boolean', default: false } },
})
const START_LIMIT = 120_000
const documents = new URL('../public-documents/', import.meta.url)
const folder = new URL('sessions/', import.meta.url)
// Loaded by name, so that what checks the types of the project does not need the clients.
const all = await Promise.all(
  readdirSync(folder).map(async (file) => (await import(new URL(file, folder).href)) as { session: ClientSession }),
)
const sessions = all.map(({ session }) => session).filter(({ client }) => new RegExp(flags.only).test(client))
if (sessions.length === 0) throw new Error(`No client matches --only ${flags.only}.`)
if (flags.update && flags.only !== '') throw new Error('--update measures all clients: leave out --only.')

const results: Result[] = []
for (const session of sessions) {
  const steps = await measure(session)
  if (steps) results.push({ client: session.client, steps })
}
process.stdout.write(`\n${tableOf(results)}\n`)

const file = new URL('results.json', import.meta.url)
if (flags.update) {
  const missed = results.map(({ client, steps }) => [client, steps.flatMap(({ step, miss }) => (miss ? [step] : []))])
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(missed), undefined, 2)}\n`)
  const page = new URL('../../docs/fidelity.md', import.meta.url)
  writeFileSync(page, pageOf(readFileSync(page, 'utf8'), results))
} else {
  const fell = fallen(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>, results)
  for (const one of fell) process.stderr.write(`${one}\n`)
  if (fell.length > 0) process.exitCode = 1
}

async function measure({ client, document, ...session }: ClientSession) {
  // Without pip, checks/public-documents/install.sh leaves out the documents of Python packages.
  if (document.startsWith('python/') && !existsSync(new URL('python/', documents))) {
    process.stdout.write(`${client}: left out, since ${document} is not installed.\n`)
    return
  }
  const { base, output, stop } = await serve('standin', document, START_LIMIT)
  try {
    if (base === undefined) throw new Error(`${document} was not served:\n${output}`)
    const steps = await take({ client, document, ...session }, base)
    for (const { step, miss } of steps) {
      process.stdout.write(`${miss ? '-' : '+'} ${client}: ${step}${miss ? `\n    ${miss}` : ''}\n`)
    }
    return steps
  } finally {
    await stop()
  }
}
