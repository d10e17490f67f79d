import type { BehaviourId, BehaviourSettings } from '../../../../../types/behaviour-settings.d.ts'
import { probe, type Probe } from '../../probe.ts'
import { askAbout } from '../../search-model/choose-search.ts'
import { deduce } from '../../search-model/deduction.ts'
import type { Unknown } from '../../search-model/unknowns.ts'
import { type Finding, open, settled, type Traffic } from '../../traffic.ts'

/** A behaviour that is deduced from what searches find and from which of them are refused. */
interface DeducedRule<Id extends BehaviourId> {
  /** What the setting consists of; the id when absent. */
  readonly unknowns?: readonly Unknown[]
  /** The setting of the values; the only value when absent. */
  compose?(values: ReadonlyMap<Unknown, unknown>): BehaviourSettings[Id]
  /** Why it stays open when no search showed it: `no two names differ only by case`. What the catalogue says when absent. */
  readonly missing?: string | undefined
  /** What is asked for, in this order: unknowns that the same searches show are asked for together. Its unknowns when absent. */
  readonly questions?: readonly (readonly Unknown[])[]
  /** How many searches are sent for each question at most. */
  readonly most?: number
}

export function probeByDeduction<Id extends BehaviourId>(id: Id, rule: DeducedRule<Id> = {}): Probe {
  const { unknowns = [id], questions = [unknowns], most = 4, missing } = rule
  const compose = rule.compose ?? ((values: ReadonlyMap<Unknown, unknown>) => values.get(id) as BehaviourSettings[Id])
  return probe(id, {
    conclude: (traffic) => conclude<Id>(traffic, { unknowns, compose, missing }),
    *ask(questioner) {
      for (const together of questions) yield* askAbout(questioner, { unknowns: together, most })
    },
  })
}

function conclude<Id extends BehaviourId>(
  traffic: Traffic,
  {
    unknowns,
    compose,
    missing,
  }: Required<Pick<DeducedRule<Id>, 'unknowns' | 'compose'>> & Pick<DeducedRule<Id>, 'missing'>,
): Finding<BehaviourSettings[Id]> | undefined {
  const deduction = deduce(traffic)
  const contradiction = unknowns.map(deduction.contradictionOf).find((search) => search !== undefined)
  if (contradiction) return open(`no setting explains the response of ${contradiction.exchange.source}`)
  const difference = unknowns.map(deduction.differenceOf).find((search) => search !== undefined)
  const values = new Map(unknowns.map((unknown) => [unknown, deduction.domainOf(unknown)]))
  const several = [...values].filter(([, domain]) => domain.length > 1)
  if (several.length > 0) {
    if (difference) return open(`no setting explains the response of ${difference.exchange.source}`)
    if (missing === undefined) return undefined
    const parts = several.map(([unknown]) => unknown.split(':')[1]).filter((part) => part !== undefined)
    return open(parts.length > 0 ? `${missing}: ${parts.join(', ')}` : missing)
  }
  const only = new Map([...values].map(([unknown, domain]) => [unknown, domain[0]]))
  if ([...only.values()].includes('other')) return open('the service does something that no setting covers')
  const strange = unknowns.flatMap(deduction.evidenceFor).find(deduction.isStrange)
  if (strange) return open(`no setting explains the response of ${strange.source}`)
  return settled(
    compose(only),
    unknowns.flatMap((unknown) => deduction.evidenceFor(unknown).slice(0, 1)),
    difference ? 'likely' : 'certain',
  )
}
