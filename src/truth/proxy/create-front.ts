import { StartupError } from '../../base/errors/problem.ts'
import type { Config } from '../../config/config.ts'
import { OF_SERVICE } from '../../config/create-config.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import { loadPartial } from './load-partial.ts'
import type { PartialFront } from './partial.ts'

/** What forwards requests, where there is a service behind the server. @throws StartupError for what needs one and has none */
export function createFront(config: Config, log: Pick<ServerLog, 'note'>): PartialFront | undefined {
  if (config.upstream !== undefined) return loadPartial().createPartialFront(config, log)
  const alone = OF_SERVICE.flatMap((one) => config.names[one]?.('') ?? [])
  if (alone.length === 0) return undefined
  const remedyFor = (name: string) => (name.startsWith('options.') ? 'Pass `upstream` too' : 'Pass --upstream URL too')
  throw new StartupError(alone.map((name) => `${name}: ${remedyFor(name)}: the address of the service.`))
}
