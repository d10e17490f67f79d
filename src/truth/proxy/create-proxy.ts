import type { Config } from '../../config/config.ts'
import { createReloadableStandin, type ReloadableStandin } from '../../app/setup/create-standin.ts'
import type { Deadlines } from '../../app/server.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import { createProxyApp, type ProxyOptions } from './proxy-app.ts'
import type { Upstream } from './upstream.ts'

/** A response may be as late as the service's time-out says, and an upload may take as long as it likes while it moves. */
export function deadlinesOf({ timeout }: Pick<Upstream, 'timeout'>): Deadlines {
  return { headers: 10_000, request: 0, idle: timeout + 30_000 }
}

/**
 * Creates a server that forwards requests to a service. What happens is the service's state, so there is none to keep here.
 *
 * @throws StartupError for what is wrong in the settings
 */
export function createProxy(
  given: Config,
  options: ProxyOptions & { readonly log?: ServerLog; readonly quiet?: number },
): ReloadableStandin {
  const { upstream, log, quiet } = options
  const config = { ...given, data: undefined, artifacts: undefined, smtp: undefined, watch: false }
  const closing = [upstream.close]
  return createReloadableStandin(config, {
    log,
    quiet,
    front: {
      createApp(parts) {
        const { app, close } = createProxyApp(parts, options)
        closing.push(close)
        return app
      },
      forwarding: () => 'only',
      deadlines: deadlinesOf(upstream),
      sendsContinue: true,
      close() {
        for (const close of closing) close()
      },
    },
  })
}
