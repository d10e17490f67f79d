import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { Operation } from '../../contract/contract.ts'
import { isJson } from '../../contract/media-type.ts'
import { refusal } from '../../behaviours/refusal.ts'
import type { Violation } from '../../errors/problem.ts'
import { requestInvalid } from '../../errors/request-errors.ts'

/**
 * An empty body is `{}` where the contract does not ask for one, unless the behaviour catalogue says otherwise.
 *
 * @throws Problem 400 for a body that must be there
 */
export function readEmpty(
  { bodyRequired, bodyTypes, bodySource }: Operation,
  tracker: BehaviourTracker,
  { violations, isStateful }: { readonly violations: readonly Violation[]; readonly isStateful: boolean },
): unknown {
  if (!bodyRequired && tracker.ask('http.empty-body') === 'as-empty') return {}
  const isJsonTaken = bodyTypes?.some(isJson) ?? true
  const expected = isJsonTaken
    ? 'a JSON object; send {} for an empty one'
    : `a body of the type ${bodyTypes?.join(' or ') ?? ''}`
  const refused = refusal(bodyRequired ? 'http.json' : 'http.empty-body', { pointer: '' }, expected)
  const byContract = bodyRequired && !isStateful ? { code: 'required', source: bodySource() } : {}
  throw requestInvalid([...violations, { ...refused, ...byContract }])
}
