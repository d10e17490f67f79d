import { createApp } from '../app.ts'
import { describeBindings, exampleRequest } from '../binding/describe-bindings.ts'
import { IN_PROCESS_URL } from '../in-process-fetch.ts'
import { assemble } from '../setup/assemble.ts'
import { findComplaints } from '../setup/load.ts'
import { MACHINE } from '../setup/machine.ts'
import { type Standin, type StandinOptions, createStateMethods } from '../standin.ts'
import { summarise } from '../summarise.ts'
import { isPath } from '../../config/config.ts'
import { createConfig } from '../../config/create-config.ts'
import type { AppInstance } from '../app-instance.ts'
import { createControlClient } from '../../control/client/client.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { createPageFetch } from './page-fetch.ts'

/**
 * Creates a mock server in a page: the same engine as in Node, reached by `fetch` and `control`, with its state in the page.
 *
 * @throws StartupError when the contract, fixtures or options are wrong, or need files, a port or a mail server
 * @example const standin = createStandin({ contract })
 */
export function createStandin(options: StandinOptions = {}): Standin {
  return createPageInstance(options, { nameOf: (setting) => `options.${setting}` }).standin
}

/**
 * The same, with its parts, for a page that shows what was loaded.
 *
 * @internal
 * @param given.nameOf how messages name an option
 * @param given.isDryRun whether its notes are those of `standin check`
 */
export function createPageInstance(
  options: StandinOptions,
  { nameOf, isDryRun }: { nameOf(setting: string): string; readonly isDryRun?: boolean },
): { readonly standin: Standin; readonly instance: AppInstance } {
  refuseWhatNeedsNode(options)
  const { now, ...values } = options
  const source = { nameOf, values }
  const defaults = { nameOf: () => 'defaults of the library', values: { log: 'silent' } }
  const config = createConfig([defaults, source], findComplaints)
  const machine = { ...MACHINE, ...(now ? { realNow: now } : {}) }
  const instance = assemble(config, { machine, isDryRun })
  return { standin: standinOf(instance), instance }
}

function standinOf(instance: AppInstance): Standin {
  const { config, bindings, sandboxes, behaviours } = instance
  const summary = () => summarise(instance)
  const app = createApp(instance, summary)
  const fetch = createPageFetch(app)
  const { controlToken: token } = config
  return {
    app,
    fetch,
    control: createControlClient({ url: IN_PROCESS_URL, fetch, ...(token === undefined ? {} : { token }) }),
    url: undefined,
    start: () => Promise.reject(new StartupError(['A page cannot listen. Use `fetch`, or `handlersOf` with MSW.'])),
    stop() {
      instance.listeners.hangUp()
      return Promise.resolve()
    },
    get summary() {
      return summary()
    },
    operations: describeBindings(bindings),
    notes: instance.notes,
    exampleRequest: exampleRequest(bindings, behaviours.settings['auth.keys'] === 'listed' ? 'YOUR-KEY' : 'any'),
    ...createStateMethods(sandboxes.default, () => instance.rules),
  }
}

/** What options of Node are for, where a page has an equivalent. */
const OF_FILES = { contract: 'the text of the document, or the document itself', keys: 'the keys themselves' } as const

const OF_NODE = ['artifacts', 'data', 'fsync', 'host', 'locale', 'port', 'smtp', 'store', 'upstream', 'watch'] as const

function refuseWhatNeedsNode(options: StandinOptions): void {
  const complaints = OF_NODE.filter((name) => options[name] !== undefined).map(
    (name) => `options.${name} needs Node: a page has no files, ports, proxies or mail. Remove it.`,
  )
  const file = (name: string, value: unknown, remedy: string) => {
    if (isPath(value))
      complaints.push(`options.${name}: a page cannot read the file ${JSON.stringify(value)}. Give ${remedy}.`)
  }
  for (const [name, remedy] of Object.entries(OF_FILES)) file(name, options[name as keyof typeof OF_FILES], remedy)
  for (const name of ['fixtures', 'overlay', 'stubs'] as const)
    for (const one of [options[name] ?? []].flat()) file(name, one, 'what it holds, as an object')
  if (complaints.length > 0) throw new StartupError(complaints)
}
