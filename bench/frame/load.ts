import { once } from 'node:events'
import { join } from 'node:path'
import type { Ask } from './ask.ts'
import { startChild } from './children.ts'
import type { Child } from './children.ts'
import { ROOT } from './files.ts'

/** What a load generator counted. */
export interface Counted {
  /** Seconds. */
  readonly duration: number
  /** Answers with a status of 200 to 299. */
  readonly answered: number
  readonly errors: number
  readonly timeouts: number
  readonly non2xx: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly p999: number
}

export interface Load {
  readonly port: number
  readonly ask: Ask
  /** Sent in turn instead of the body of `ask`. */
  readonly bodies?: readonly string[] | undefined
  /** Asked for in turn instead of the path of `ask`. */
  readonly paths?: readonly string[] | undefined
  /** Epoch ms: where the moments begin that are new in each request. */
  readonly firstMoment?: number
  readonly connections: number
  /** Whole seconds; autocannon knows no halves. With `amount` it is not asked for. */
  readonly seconds?: number
  /** How many requests, instead of how long. */
  readonly amount?: number
}

/** autocannon in a process of its own, which stays for the whole bench: it is warm when the first sample counts. */
export interface Loader {
  readonly child: Child
  /** Throws when one request failed, timed out, or was answered with anything but success. */
  run(load: Load): Promise<Counted>
}

export function startLoader(): Loader {
  const child = startChild(process.execPath, [join(ROOT, 'bench/servers/load.js')], { channel: true })
  return {
    child,
    run: async ({ port, ask, bodies, paths, firstMoment, connections, seconds, amount }) => {
      const { path, method, headers, body } = ask
      const length = amount === undefined ? { duration: seconds } : { amount }
      child.process.send({
        url: `http://127.0.0.1:${port}${path}`,
        method,
        headers,
        body,
        bodies,
        paths,
        firstMoment,
        connections,
        ...length,
      })
      const [answer] = (await once(child.process, 'message')) as [Counted | { failure: string }]
      if ('failure' in answer) throw new Error(`autocannon: ${answer.failure}`)
      const { errors, timeouts, non2xx } = answer
      if (errors + timeouts + non2xx > 0)
        throw new Error(`under load: ${errors} errors, ${timeouts} timeouts, ${non2xx} answers that were no success`)
      return answer
    },
  }
}
