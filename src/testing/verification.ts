import { shown } from '../base/errors/problem.ts'
import type { ControlClient } from '../control/client/client.ts'
import { describeVerification } from '../control/client/describe-verification.ts'
import type { VerifyRequest } from '../control/client/types.ts'
import { describeStrays, tellStrays } from './stray-requests.ts'

/** What a client should have sent: see `POST /__mock/journal/verify`. */
export type Expectation = VerifyRequest['expectations'][number]

/** An expectation, or several that must all pass. */
export type Expected = Expectation | readonly Expectation[]

interface Verified {
  readonly pass: boolean
  message(): string
}

/** The control clients that a verification runs with. */
const verifying = new Set<ControlClient>()

/** Whether a verification is still running. At the end of a test this means that it was not awaited. */
export function isVerifying(control: ControlClient): boolean {
  return verifying.has(control)
}

/**
 * Checks what the client of a test sent. The message has what was expected, what came and the nearest misses.
 *
 * @throws TypeError when it is given something else than a control client
 */
export async function verify(control: ControlClient, expected: Expected): Promise<Verified> {
  if (typeof (control as Partial<ControlClient> | undefined)?.verifyJournal !== 'function')
    throw new TypeError(`Expected the fixture "control", or a control client; got ${shown(control)}.`)
  verifying.add(control)
  try {
    return await verifyJournal(control, expected)
  } finally {
    verifying.delete(control)
  }
}

async function verifyJournal(control: ControlClient, expected: Expected): Promise<Verified> {
  const expectations = Array.isArray(expected) ? (expected as readonly Expectation[]) : [expected as Expectation]
  const verification = await control.verifyJournal({ expectations })
  const strays = verification.passed ? undefined : await describeStrays(control)
  const message = () => {
    if (strays === undefined) return describeVerification(verification)
    tellStrays(control)
    return `${describeVerification(verification)}\n${strays}\n`
  }
  return { pass: verification.passed, message }
}
