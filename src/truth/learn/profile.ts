import type { Learned } from '../../app/learned/learned.ts'
import { violationKind } from '../../app/learned/learned.ts'
import type { Fixture } from '../recordings/fixture-of.ts'
import type { Lessons } from './learn.ts'
import { agreementOf, likenessOf } from './likeness.ts'
import type { ComparedExchange } from './compared-exchange.ts'

/** What `standin serve --profile` reads, with the evidence for people. */
export interface LearnedProfile {
  readonly service: string
  /** When, as an ISO 8601 instant. */
  readonly learnt: string
  readonly exchanges: number
  readonly behaviours: Readonly<Record<string, unknown>>
  readonly learned: Partial<Learned>
  readonly fixture?: { readonly collections: Fixture['collections'] }
  readonly evidence: {
    readonly settings: Readonly<Record<string, string>>
    /** How many responses are as the service's, by the contract and with this profile. */
    readonly agreement: { readonly before: string; readonly after: string }
    /** What is still otherwise, the most frequent first. */
    readonly open: readonly string[]
  }
}

interface ProfileFacts {
  readonly service: string
  readonly at: string
}

/** More differences are only counted. */
const MOST_OPEN = 50

export function createLearnedProfile(
  { settings, learned, fixture: { collections }, before, after }: Lessons,
  { service, at }: ProfileFacts,
): LearnedProfile {
  const parts = Object.entries(learned).filter(([, part]) => Object.keys(part as object).length > 0)
  const why = settings.map(({ id, certainty, better, worse }): [string, string] => [
    id,
    `${certainty}: ${better} of the responses became more alike, ${worse} less`,
  ])
  return {
    service,
    learnt: at,
    exchanges: before.length,
    behaviours: Object.fromEntries(settings.map(({ id, value }) => [id, value])),
    learned: Object.fromEntries(parts),
    ...(Object.keys(collections).length > 0 && { fixture: { collections } }),
    evidence: {
      settings: Object.fromEntries(why),
      agreement: { before: describeAgreement(before), after: describeAgreement(after) },
      open: openQuestions(after),
    },
  }
}

function describeAgreement(compared: readonly ComparedExchange[]): string {
  const { responses, status, bodies, shape, values } = agreementOf(compared)
  return `${status} of ${responses} statuses; of ${bodies} bodies ${shape} have the same members, and ${values} the same values`
}

/** The differences that are left, each with how often and where it was seen first. */
function openQuestions(after: readonly ComparedExchange[]): string[] {
  const wrong = after.flatMap((one) => {
    const what = differenceOf(one)
    return what === undefined ? [] : [{ what, source: one.source }]
  })
  const groups = [...Map.groupBy(wrong, ({ what }) => what)].toSorted(([, a], [, b]) => b.length - a.length)
  const shown = groups
    .slice(0, MOST_OPEN)
    .map(
      ([what, all]) => `${what} (${all.length === 1 ? 'once' : `${all.length} times`}, first ${all[0]?.source ?? ''})`,
    )
  return groups.length > MOST_OPEN ? [...shown, `and ${groups.length - MOST_OPEN} more`] : shown
}

function differenceOf(one: ComparedExchange): string | undefined {
  const { operation, method, url, theirs, ours, isLost, violations } = one
  const { status, shape, values } = likenessOf(one)
  const what = operation?.operationId ?? `${method} ${url.split('?', 1)[0] ?? ''}`
  if (status && shape !== false && values !== false) return undefined
  if (isLost) return `${what}: not compared, since it names what only the service has made`
  if (!status) {
    const why =
      violations.length > 0 && ours.status >= 400
        ? `, for ${violations
            .slice(0, 3)
            .map((one) => violationKind(one))
            .join(', ')}`
        : ''
    return `${what}: ${ours.status}${why}; the service responded ${theirs.status}`
  }
  return `${what} ${theirs.status}: other ${shape === false ? 'members' : 'values'}`
}
