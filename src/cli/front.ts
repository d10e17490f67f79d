import { StartupError } from '../base/errors/problem.ts'
import type { Config } from '../config/config.ts'
import { OF_SERVICE } from '../config/create-config.ts'
import type { ServerLog } from '../journal/server-log.ts'

/** What forwards requests is loaded where there is a service behind the server. @throws StartupError for what needs one and has none */
export async function createFront(config: Config, log: Pick<ServerLog, 'note'>) {
  if (config.upstream !== undefined) {
    const { createPartialFront } = await import('../truth/proxy/partial.ts')
    return createPartialFront(config, log)
  }
  const alone = OF_SERVICE.filter((one) => config.names[one] !== undefined)
  if (alone.length === 0) return undefined
  throw new StartupError(
    alone.map((one) => `${config.names[one]?.('') ?? one}: Pass --upstream URL too: the address of the service.`),
  )
}
