import type { Logger } from 'pino'
import { visible } from '../errors/wording.ts'

/** One line per request, and the stack of each internal error. */
export interface Log {
  /** Whether it drops everything, so callers can skip formatting. */
  readonly isSilent: boolean
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
  /** A request to try first. */
  readonly example: string
}

interface ExchangeLine {
  readonly requestId: string
  /** The sandbox; undefined for the default one and for none. */
  readonly sandbox?: string | undefined
  readonly method: string
  readonly url: string
  readonly status: number
  readonly milliseconds: number
  /** The behaviours that the response depended on. */
  readonly rows: readonly string[]
  /** Why it was refused. */
  readonly problem?: string | undefined
}

export const SILENT: Log = {
  isSilent: true,
  started: () => undefined,
  exchange: () => undefined,
  defect: () => undefined,
  mail: () => undefined,
  note: () => undefined,
}

/** Readable lines: `POST /api/… 400 1.2 ms  limit: expected …`. Control characters are shown escaped, so that no request can forge a line. */
export function createPrettyLog(write: (line: string) => void): Log {
  return {
    isSilent: false,
    started: ({ url, summary, milliseconds, example }) =>
      write(`${summary}, ${url} (${milliseconds} ms)\n${example}\n`),
    exchange({ sandbox, method, url, status, milliseconds, problem }) {
      const where = sandbox === undefined ? '' : ` (sandbox ${sandbox})`
      const why = problem === undefined ? '' : `  ${visible(problem)}`
      write(`${method} ${visible(url)} ${status} ${milliseconds.toFixed(1)} ms${where}${why}\n`)
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

/** pino's JSON lines. */
export function createJsonLog(logger: Logger): Log {
  return {
    isSilent: false,
    started: (start) => logger.info(start, 'started'),
    exchange: (line) => logger.info(line, 'exchange'),
    defect: (error, line) => logger.error({ ...line, err: error }, 'mock defect'),
    mail: (line) => logger.warn({ mail: line }, 'mail'),
    note: (line) => logger.info({ note: line }, 'note'),
  }
}
