import { type LearnedStatus, statusOf, violationKind } from '../../app/learned/learned.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import type { ComparedExchange } from './compared-exchange.ts'

/** In how many of the responses of several operations a status has to be the same. */
const MOST_OF_ALL = 0.8

/** Which statuses the service has where others follow from the contract: by operation, and where several agree for a method and for all. */
export function learnStatuses(compared: readonly ComparedExchange[]): LearnedStatus[] {
  // A refusal in place of a success, or the other way round, is more than another status.
  const fitting = compared.filter(({ theirs, ours }) => theirs.status < 400 === ours.status < 400)
  const levels = [
    ({ operation }: ComparedExchange) => ({ operation: operation?.operationId }),
    ({ method }: ComparedExchange) => ({ method }),
    () => ({}),
  ]
  const rules = levels.flatMap((scopeOf, level) => {
    // The status of a creation says nothing of that of a deletion.
    const comparable = level < 2 ? fitting : fitting.filter(({ ours }) => ours.status >= 400)
    const groups = Map.groupBy(comparable, (one) => JSON.stringify([scopeOf(one), one.outcome, one.ours.status]))
    return [...groups.values()].flatMap((group) => {
      const [first] = group
      const status = commonest(group.map(({ theirs }) => theirs.status))
      if (!first || status === undefined) return []
      const alike = group.filter(({ theirs }) => theirs.status === status)
      const operations = new Set(alike.map(({ operation }) => operation?.operationId))
      const share = alike.length / group.length
      if (level === 0 ? first.operation === undefined : operations.size < 2 || share < MOST_OF_ALL) return []
      return [{ ...scopeOf(first), when: first.outcome, from: first.ours.status, status }]
    })
  })
  return withoutSuperfluous(rules)
}

function commonest(values: readonly number[]): number | undefined {
  return [...Map.groupBy(values, (value) => value)].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0]
}

/** Without the rules that say what follows anyway. The more general ones come last. */
function withoutSuperfluous(rules: readonly LearnedStatus[]): LearnedStatus[] {
  return rules.reduceRight<LearnedStatus[]>((kept, rule) => {
    const { operation: operationId, method = '', when: outcome, from } = rule
    const usual = statusOf(kept, { operationId, method, outcome, status: from }) ?? from
    return usual === rule.status ? kept : [rule, ...kept]
  }, [])
}

/**
 * What breaks the contract and the service takes, by operationId: the kinds of violations that it took more often than it refused them.
 */
export function learnAccepted(compared: readonly ComparedExchange[], document: unknown): Record<string, string[]> {
  const invalid = compared.filter(({ outcome }) => outcome.startsWith('request-invalid'))
  const byOperation = Map.groupBy(invalid, ({ operation }) => operation?.operationId ?? '')
  byOperation.delete('')
  const accepted = [...byOperation].flatMap(([operationId, all]): [string, string[]][] => {
    const [{ operation } = {}] = all
    const body = operation && { document, schema: readDocumented(document, operation).input }
    const kindsOf = ({ violations }: ComparedExchange) => violations.map((one) => violationKind(one, body))
    const countIn = (some: readonly ComparedExchange[], kind: string) =>
      some.filter((one) => kindsOf(one).includes(kind)).length
    const { true: taken = [], false: others = [] } = Object.groupBy(
      all,
      ({ theirs }) => String(theirs.status < 400) as 'true' | 'false',
    )
    // What is wrong with it alone is why it was refused; what is taken more often was refused for another reason.
    const refused = others.filter(({ violations }) => violations.length === 1)
    const seen = new Set(taken.flatMap(kindsOf))
    const kinds = new Set([...seen].filter((kind) => countIn(taken, kind) > countIn(refused, kind)))
    return kinds.size === 0 ? [] : [[operationId, [...kinds]]]
  })
  return Object.fromEntries(accepted)
}
