import { ControlError } from '../../src/control/client/client.ts'

/** Why the console cannot show anything, and what to do. */
export interface ConnectionProblem {
  readonly title: string
  readonly message: string
  readonly remedy: string
  readonly needsToken: boolean
}

/** The problem behind an error of a read; undefined for errors that concern that read only. */
export function connectionProblemOf(error: unknown): ConnectionProblem | undefined {
  const needsToken = error instanceof ControlError && error.status === 401
  const say = (title: string, remedy: string) => ({
    title,
    message: error instanceof Error ? error.message : String(error),
    remedy,
    needsToken,
  })
  if (needsToken) return say('A token is needed', 'Ask whoever started this stand-in for its --control-token.')
  if (error instanceof ControlError && error.status === 403)
    return say(
      'This browser may not use the control API',
      'Open the console on the machine of the stand-in, or start the stand-in with --control-token: then this page asks for the token.',
    )
  if (error instanceof ControlError && error.type !== '/problems/sandbox-not-found' && error.status === 404)
    return say(
      'The control API is off',
      'Start the stand-in without --no-control. The console shows what the control API knows.',
    )
  if (error instanceof TypeError)
    return say('The stand-in does not respond', 'Start it again: this page goes on by itself.')
  return undefined
}
