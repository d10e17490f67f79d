import type { Sandbox } from '../engine/sandbox.ts'
import { setHeader } from './response.ts'

/** What responses carry with `--consistency session`, and clients send back. */
export const SESSION_HEADER = 'x-mock-session'

/** Says how much of a sandbox a client sees with this response. */
export function setSession(context: Parameters<typeof setHeader>[0], sandbox: Sandbox | undefined): void {
  const session = sandbox?.shared?.session
  if (session !== undefined) setHeader(context, SESSION_HEADER, session)
}
