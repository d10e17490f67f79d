import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { varyingPaths } from './score.ts'
import type { Service } from './service.ts'
import { type Answer, parsed, type Session, textOf } from './session.ts'

interface Entry {
  readonly comment: string
  /** Paths of members whose values differed when the session was played again. A custom field, hence the underscore. */
  readonly _varies?: readonly string[]
  readonly response: {
    readonly status: number
    readonly headers: readonly { readonly name: string; readonly value: string }[]
    readonly content: { readonly text?: string }
  }
}

/** Headers of a response that tell the moment or the machine, not the service. */
const PASSING = new Set([
  'date',
  'server',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'set-cookie',
])

/** Writes `recorded/NAME.har`: HAR 1.2, each entry with the name of its session as comment. */
export function writeRecording(
  name: string,
  { version }: Pick<Service, 'version'>,
  sessions: readonly Session[],
  [answers, again]: readonly [readonly (readonly Answer[])[], readonly (readonly Answer[])[]],
): void {
  const day = new Date().toISOString().slice(0, 10)
  const entries = sessions.flatMap((session, at) =>
    session.steps.map(({ method, path, headers, body }, index) => {
      const answer = answers[at]?.[index]
      const repeated = again[at]?.[index]
      const varies = answer && repeated ? varyingPaths(answer, repeated) : []
      const text = answer?.body === undefined ? undefined : textOf(answer.body)
      return {
        comment: session.name,
        ...(varies.length > 0 && { _varies: varies }),
        startedDateTime: `${day}T00:00:00.000Z`,
        time: 0,
        request: {
          method,
          url: `http://service${path}`,
          httpVersion: 'HTTP/1.1',
          headers: listed(headers),
          ...(body !== undefined && {
            postData: { mimeType: headers['Content-Type'] ?? 'application/json', text: textOf(body) },
          }),
        },
        response: {
          status: answer?.status ?? 0,
          headers: listed(answer?.headers ?? {}),
          content: {
            mimeType: answer?.headers['content-type'] ?? '',
            size: text?.length ?? 0,
            ...(text !== undefined && { text }),
          },
        },
      }
    }),
  )
  const log = { version: '1.2', creator: { name, version }, comment: day, entries }
  writeFileSync(fileOf(name), `${JSON.stringify({ log }, null, 1)}\n`)
}

export interface Recorded extends Answer {
  readonly varies: ReadonlySet<string>
}

export interface Recording {
  readonly version: string
  /** On which it was recorded: `2026-11-23`. */
  readonly day: string
  /** By the name of the session. */
  readonly answers: ReadonlyMap<string, readonly Recorded[]>
}

export function readRecording(name: string): Recording {
  const { log } = JSON.parse(readFileSync(fileOf(name), 'utf8')) as {
    log: { creator: { version: string }; comment: string; entries: Entry[] }
  }
  const read = ({ response: { status, headers, content }, _varies = [] }: Entry): Recorded => ({
    varies: new Set(_varies),
    status,
    headers: Object.fromEntries(headers.map(({ name: header, value }) => [header, value])),
    ...(content.text !== undefined && { body: parsed(content.text) }),
    took: 0,
  })
  const groups = Map.groupBy(log.entries, ({ comment }) => comment)
  const answers = new Map([...groups].map(([session, entries]) => [session, entries.map(read)]))
  return { version: log.creator.version, day: log.comment, answers }
}

/** The names of the recorded services that a check is for. @throws Error where there are none, or not all for new figures */
export function chosenServices({ only, update }: { readonly only: string; readonly update: boolean }): string[] {
  const files = readdirSync(new URL('recorded/', import.meta.url))
  const names = files.map((file) => file.replace(/\.har$/, '')).filter((name) => new RegExp(only).test(name))
  if (names.length === 0) throw new Error(`No recorded service matches --only ${only}.`)
  if (update && only !== '') throw new Error('--update measures all services: leave out --only.')
  return names
}

function fileOf(name: string): URL {
  return new URL(`recorded/${name}.har`, import.meta.url)
}

function listed(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, value]) => (PASSING.has(name) ? [] : { name, value }))
}
