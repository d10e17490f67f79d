import { inlineSourceFile, type SourceFile } from '../../src/base/formats/source-file.ts'
import { type Recorded, readRecording } from './recording.ts'
import { readService, sentSteps, type Step, textOf } from './session.ts'

/** A request as it was sent when a service was recorded, and its response. */
export interface SentStep {
  readonly session: string
  /** Of the session, from 0. */
  readonly number: number
  readonly step: Step
  readonly recorded: Recorded
}

/** All requests to a service in their order, with what earlier responses gave them. */
export function sentTo(name: string): SentStep[] {
  const { sessions } = readService(name)
  const { answers } = readRecording(name)
  return sessions.flatMap((session, number) => {
    const recorded = answers.get(session.name) ?? []
    return sentSteps(session, recorded).flatMap((step, at) => {
      const answer = recorded[at]
      return answer ? [{ session: session.name, number, step, recorded: answer }] : []
    })
  })
}

/** As a proxy would have recorded them. */
export function archiveOf(name: string, sent: readonly SentStep[]): SourceFile {
  const { base } = readService(name)
  const { day } = readRecording(name)
  const entries = sent.map(({ step: { method, path, headers, body }, recorded }) => ({
    startedDateTime: `${day}T12:00:00Z`,
    request: {
      method,
      url: `http://service.example${base}${path}`,
      headers: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
      ...(body !== undefined && {
        postData: { mimeType: headers['Content-Type'] ?? 'application/json', text: textOf(body) },
      }),
    },
    response: {
      status: recorded.status,
      headers: Object.entries(recorded.headers).map(([header, value]) => ({ name: header, value })),
      content: recorded.body === undefined ? { size: 0 } : { text: textOf(recorded.body) },
    },
  }))
  return inlineSourceFile({ log: { entries } }, name)
}
