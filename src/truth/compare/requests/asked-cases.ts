import type { BehaviourId } from '../../../../types/behaviour-settings.d.ts'
import { concludeAll, type Findings } from '../../calibrate/calibrate.ts'
import { probe } from '../../calibrate/probe.ts'
import { PROBES } from '../../calibrate/probes/probes.ts'
import { type Asking, createQuestioner, type Givens, type Questioner } from '../../calibrate/questioner.ts'
import { createTraffic, type GrowingTraffic } from '../../calibrate/traffic.ts'
import type { RecordedRequest } from '../../recordings/recorded-exchange.ts'
import type { Case, Planned, Seen, Side } from '../case.ts'
import { createOwnNames } from './plan-recorded.ts'

/** Asks a side what calibration asks. */
export interface Conversation {
  readonly traffic: GrowingTraffic
  readonly questioner: Questioner
  /** Sends the requests of a question. */
  ask(asking: Asking<unknown>): Promise<readonly Seen[]>
}

/** @param searchPath where the contract has the search of a file set, with the id in braces */
export function createConversation(side: Side, givens: Givens, searchPath = ''): Conversation {
  const traffic = createTraffic(givens.keyHeader)
  return {
    traffic,
    questioner: createQuestioner(traffic, givens),
    async ask(asking) {
      const seen: Seen[] = []
      let step = asking.next()
      while (step.done !== true) {
        const request = step.value
        const response = await side.send(plan(request, givens, searchPath))
        const exchange = { ...response.exchange, request }
        seen.push(response)
        traffic.add(exchange)
        step = asking.next(exchange)
      }
      return seen
    },
  }
}

/** The key goes where the contract wants it, and the search to where the contract has it. */
function plan({ method, url, headers, body }: RecordedRequest, { keyHeader }: Givens, searchPath: string): Planned {
  return {
    method,
    url: url.replace(SEARCH, (_, fileSet: string) => searchPath.replace(/\{[^{}]+\}/, fileSet)),
    headers: headers.filter(({ name }) => name !== keyHeader),
    body: method === 'POST' || method === 'PUT' ? body : undefined,
    key: headers.find(({ name }) => name === keyHeader)?.value ?? null,
  }
}

const SEARCH = /^\/api\/files\/v1\/filesets\/([^/]+)\/files\/search/

/** Its responses do not say what the setting is, but a stand-in with the same setting gives them too. */
const FILTER_WORK = probe({
  id: 'filter.work',
  conclude: () => undefined,
  *ask({ search }) {
    for (const patterns of [10, 40]) {
      const value = Array.from({ length: patterns }, (_, at) => `${'x%'.repeat(30)}${at}`)
      yield* search({ body: { filters: [{ field: 'name', operator: 'LIKE', value }] } })
    }
  },
})

/** A question, and the responses to its requests. */
interface Asked {
  readonly id: BehaviourId
  readonly writes: boolean
  readonly seen: readonly Seen[]
}

/** The questions of calibration that may be asked, each as a case: the stand-in gets the requests that the service got. */
export async function askCases(
  { traffic, questioner: { givens }, ask }: Conversation,
  allows: (writes: boolean) => boolean,
  report: (id: BehaviourId) => void,
): Promise<Case[]> {
  const asked: Asked[] = []
  for (const [at, { id, writes = false, ask: asking, conclude }] of [...PROBES, FILTER_WORK].entries()) {
    if (!asking || !allows(writes)) continue
    report(id)
    traffic.find(id, conclude(traffic))
    if (traffic.settingOf(id) !== undefined) continue
    // Each has a schedule of its own, so that it does not matter what was asked before.
    const own = { ...givens, viewId: givens.viewId + at, title: `Comparison ${givens.viewId + at}` }
    const seen = await ask(asking(createQuestioner(traffic, own)))
    traffic.find(id, conclude(traffic))
    if (seen.length > 0) asked.push({ id, writes, seen })
  }
  const findings = concludeAll(traffic)
  return asked.map((one) => toCase(one, [...shownBy(one, findings), ...(isFirst(one, asked) ? unasked(one) : [])]))
}

/** The other behaviours that its responses show. */
function shownBy({ seen }: Asked, findings: Findings): readonly string[] {
  const sources = new Set(seen.map(({ exchange }) => exchange.source))
  return [...findings].flatMap(([id, finding]) =>
    finding?.kind === 'settled' && finding.evidence.some(({ source }) => sources.has(source)) ? [id] : [],
  )
}

function isFirst(one: Asked, asked: readonly Asked[]): boolean {
  return asked.find(({ writes }) => writes === one.writes) === one
}

/** Behaviours that any response shows. */
function unasked({ writes: isWrite }: Asked): readonly string[] {
  return PROBES.filter(({ ask, writes = false }) => !ask && writes === isWrite).map(({ id }) => id)
}

function toCase({ id, writes, seen }: Asked, others: readonly string[]): Case {
  return {
    name: id,
    about: [...new Set([id, ...others])],
    writes,
    exchanges: seen.map(({ exchange }) => exchange),
    *steps() {
      const { replaceIn, learn } = createOwnNames()
      for (const { planned, json } of seen) learn(json, (yield replaceIn(planned)).json, writes)
    },
  }
}
