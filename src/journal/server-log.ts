import { styleText } from 'node:util'
import type { Logger } from 'pino'
import { visible } from '../base/errors/wording.ts'
import type { Exchange } from './exchange.ts'

/** One line per request, and the stack of each internal error. */
export interface ServerLog {
  /** Whether it drops everything, so callers can skip formatting. */
  readonly isSilent: boolean
  /** Whether it has lines for what clients do not send themselves: preflights of browsers, and health checks. */
  readonly isVerbose: boolean
  started(start: StartLine): void
  exchange(line: ExchangeLine): void
  defect(error: unknown, line: Pick<ExchangeLine, 'requestId' | 'method' | 'url'>): void
  /** A problem with messages to the mail catcher. */
  mail(line: string): void
  /** Something that users should know about what was loaded. */
  note(line: string): void
}

interface StartLine {
  readonly url: string
  /** What was loaded. */
  readonly summary: string
  /** From the start of the process. */
  readonly milliseconds: number
  /** The address of the console; undefined where the control API is off. */
  readonly console?: string | undefined
  /** A request to try first. */
  readonly example: string
}

/** A request and how it ended; with `--log json` a line has these members (spec/log.schema.json). */
export interface ExchangeLine extends Pick<Exchange, 'requestId' | 'method' | 'url' | 'milliseconds'> {
  /** Undefined for none. */
  readonly operationId?: string | undefined
  /** The sandbox; undefined for the default one and for none. */
  readonly sandbox?: string | undefined
  /** 0 for none. */
  readonly status: number
  /** Whether a service behind the server handled it. */
  readonly isForwarded?: boolean
  /** The fault that affected it: its kind and its id. */
  readonly fault?: { readonly kind: string; readonly id: string } | undefined
  /** The behaviours that the response depended on. */
  readonly behaviours: readonly string[]
  /** Why it was refused. */
  readonly problem?: string | undefined
  /** What breaks the contract and was left out (`--validation warn`); undefined for nothing. */
  readonly violations?: string | undefined
  /** What was sent and had no effect, as the header `X-Mock-Ignored` names it; undefined for nothing. */
  readonly ignored?: string | undefined
}

export const SILENT: ServerLog = {
  isSilent: true,
  isVerbose: false,
  started: () => undefined,
  exchange: () => undefined,
  defect: () => undefined,
  mail: () => undefined,
  note: () => undefined,
}

interface PrettyLogOptions {
  write(line: string): void
  /** Epoch ms. */
  now(): number
  /** Whether statuses have colours. */
  readonly hasColours: boolean
  readonly isVerbose: boolean
}

/**
 * Readable lines: `14:03:07 POST /api/… 400 1.2 ms searchFiles  limit: expected …`. Control characters are shown escaped, so that no request
 * can forge a line.
 */
export function createPrettyLog({ write, now, hasColours, isVerbose }: PrettyLogOptions): ServerLog {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    hasColours ? styleText(format, text, { validateStream: false }) : text
  const timeOf = createTimes()
  return {
    isSilent: false,
    isVerbose,
    started: ({ url, summary, milliseconds, console: page, example }) =>
      write(`${summary}, ${url} (${milliseconds} ms)\n${page === undefined ? '' : `console: ${page}\n`}${example}\n`),
    exchange(line) {
      const { operationId, sandbox, method, url, status, milliseconds, fault, problem, violations, ignored } = line
      const time = paint('dim', timeOf(now()))
      const ended = paint(colourOf(status), outcome(status, fault))
      const took = paint('dim', `${milliseconds.toFixed(1)} ms`)
      const what = operationId === undefined ? '' : ` ${operationId}`
      const where = sandbox === undefined ? '' : ` (sandbox ${sandbox})`
      const why = problem === undefined ? '' : `  ${visible(problem)}`
      const left = violations === undefined ? '' : `  breaks the contract: ${visible(violations)}`
      const unused = ignored === undefined ? '' : `  ignored: ${visible(ignored)}`
      const target = visible(isVerbose ? url : url.replace(LONG_TOKEN, shortened))
      write(
        `${time} ${method} ${target} ${ended} ${took}${what}${line.isForwarded === true ? ' (upstream)' : ''}${where}${why}${left}${unused}\n`,
      )
    },
    defect(error, { method, url, requestId }) {
      write(
        `MOCK DEFECT in ${method} ${visible(url)} (${requestId}): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      )
    },
    mail: (line) => write(`mail: ${visible(line)}\n`),
    note: (line) => write(`${visible(line)}\n`),
  }
}

/** The local time of day to the second. Node takes as long for it as for the rest of a line, so it is made once a second. */
function createTimes(): (now: number) => string {
  let second = NaN
  let time = ''
  return (now) => {
    const at = Math.floor(now / 1000)
    if (at !== second) [second, time] = [at, new Date(now).toTimeString().slice(0, 8)]
    return time
  }
}

/** Tokens of pages and the like; a UUID has 36 characters. */
const LONG_TOKEN = /[\w%~.-]{41,}/g

function shortened(token: string): string {
  return `${token.slice(0, 8)}…${token.slice(-4)}`
}

function colourOf(status: number): 'green' | 'cyan' | 'yellow' | 'red' {
  if (status >= 500 || status === 0) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

/** The status, or what became of the connection. */
function outcome(status: number, fault: ExchangeLine['fault']): string {
  if (fault) return `${status === 0 ? fault.kind : status} (fault ${fault.id})`
  return status === 0 ? 'connection lost' : String(status)
}

/** pino's JSON lines. */
export function createJsonLog(logger: Logger): ServerLog {
  return {
    isSilent: false,
    isVerbose: false,
    started: (start) => logger.info(start, 'started'),
    exchange: (line) => logger.info(line, 'exchange'),
    defect: (error, line) => logger.error({ ...line, err: error }, 'mock defect'),
    mail: (line) => logger.warn({ mail: line }, 'mail'),
    note: (line) => logger.info({ note: line }, 'note'),
  }
}
