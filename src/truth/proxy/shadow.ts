import { createApp } from '../../app/app.ts'
import type { AppOptions } from '../../app/app-options.ts'
import { createInProcessFetch } from '../../app/in-process.ts'
import { IN_PROCESS_URL } from '../../app/in-process-fetch.ts'
import { createServer } from '../../app/server.ts'
import { DEFAULT_SANDBOX } from '../../engine/sandbox-names.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { SILENT } from '../../journal/server-log.ts'
import { createMetrics } from '../../journal/metrics.ts'
import type { RecordedExchange, RecordedRequest, RecordedResponse } from '../recordings/recorded-exchange.ts'
import {
  type Difference,
  findDifferences,
  type ReadExchange,
  readExchange,
} from '../recordings/differences/find-differences.ts'
import { ANY_MATCH } from '../recordings/differences/values.ts'
import { createNewNames } from '../resend/new-names.ts'

/** What the stand-in responds to requests that the service had. */
export interface Shadow {
  /**
   * Asks the stand-in the same, after all before it, and resolves to what it responds otherwise. Undefined when too many are waiting.
   *
   * @param sandbox of the request
   */
  ask(exchange: RecordedExchange, sandbox: string): Promise<readonly Violation[]> | undefined
  /** Resolves when all that were asked are answered. */
  settled(): Promise<unknown>
}

/** Where the journal has the stand-in's response. */
interface JournalPlace {
  readonly sandbox: string
  readonly exchange: number
}

/** Requests that wait for the stand-in. */
const MAX_WAITING = 1000

/**
 * Runs the stand-in beside the service. It keeps a sandbox `…-shadow` for each sandbox of the proxy, with state and journal of its own.
 * Tokens of pages and ids of what was created differ between the two, so the stand-in is asked with its own.
 */
export function createShadow(options: AppOptions): Shadow {
  const app = createApp({ ...options, control: undefined, log: SILENT, metrics: createMetrics() })
  const fetch = createInProcessFetch(createServer(app).accept)
  const names = createNewNames()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    settled: () => last,
    ask(exchange, sandboxName) {
      if (waiting >= MAX_WAITING) return undefined
      const sandbox = shadowOf(sandboxName)
      waiting++
      const asked = last.then(async () => {
        try {
          const request = names.ours(exchange.request)
          const response = await respond(fetch, request, sandbox)
          const [theirs, ours] = [readExchange(exchange), readExchange({ request, response })]
          names.learn(theirs, ours, exchange.request.method !== 'GET')
          const place = { sandbox, exchange: options.sandboxes.find(sandbox)?.journal.last ?? 0 }
          return differencesOf(theirs, ours).map((one) => asViolation(one, place))
        } catch (error) {
          // The client has the response of the service, whatever becomes of the stand-in's.
          options.log.note(`shadow: the stand-in was not asked: ${String(error)}`)
          return []
        } finally {
          waiting--
        }
      })
      last = asked
      return asked
    },
  }
}

/** Of one response; more say nothing more. */
const MOST = 20

/**
 * The differences that clients see. Each side has its own clock, ids and tokens, so of these only presence and form are compared. The
 * connection is the proxy's.
 */
function differencesOf(service: ReadExchange, standin: ReadExchange): readonly Difference[] {
  const found = findDifferences(standin, service, { matcher: ANY_MATCH, now: Infinity }).filter(
    ({ where }) => !/^(?:content-encoding|access-control-.*)$/.test(where),
  )
  return [...new Map(found.map((one) => [`${one.kind} ${one.where}`, one])).values()].slice(0, MOST)
}

function shadowOf(sandbox: string): string {
  return sandbox === DEFAULT_SANDBOX ? 'shadow' : `${sandbox}-shadow`
}

/** What the connection of the service needed. */
const UNSENT = /^(?:host|content-length|transfer-encoding|connection|expect|via|accept-encoding|x-mock-.*)$/i

async function respond(
  fetch: ReturnType<typeof createInProcessFetch>,
  { method, url, headers, body }: RecordedRequest,
  sandbox: string,
): Promise<RecordedResponse> {
  const sent = headers
    .filter(({ name }) => !UNSENT.test(name))
    .map(({ name, value }): [string, string] => [name, value])
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
  const response = await fetch(IN_PROCESS_URL + url, {
    method,
    headers: [...sent, ['X-Mock-Sandbox', sandbox]],
    ...(hasBody ? { body } : {}),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: [...response.headers].map(([name, value]) => ({ name, value })),
    body: text,
    isWhole: true,
  }
}

function asViolation({ kind, where, target, standin }: Difference, { sandbox, exchange }: JournalPlace): Violation {
  const message = `shadow: ${where}: the service has ${target}, the stand-in ${standin} (exchange ${exchange} of the sandbox ${sandbox}).`
  const at = where.startsWith('/') ? { pointer: where } : { header: where === 'status' ? ':status' : where }
  return { ...at, code: `shadow.${kind}`, message, expected: target, received: standin }
}
