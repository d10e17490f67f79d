import type { BehaviourId } from '../../../../types/behaviour-settings.d.ts'
import { askProbe, concludeAll, converse, type Findings } from '../../calibrate/calibrate.ts'
import { probe } from '../../calibrate/probe.ts'
import { PROBES } from '../../calibrate/probes/probes.ts'
import { createQuestioner, type Givens } from '../../calibrate/questioner.ts'
import { type SeenEntry, entriesOf } from '../../calibrate/search-seen.ts'
import { createTraffic } from '../../calibrate/traffic.ts'
import type { RecordedRequest } from '../../recordings/recorded-exchange.ts'
import type { Case, Planned, SeenResponse, Responder } from '../case.ts'
import { createOwnNames } from './plan-recorded.ts'

/** Sends the requests of calibration to a side, and keeps the responses. */
function createSend(side: Responder, givens: Givens, searchPath: string) {
  const seen: SeenResponse[] = []
  const send = async (request: RecordedRequest) => {
    const response = await side.send(plan(request, givens, searchPath))
    seen.push(response)
    return { ...response.exchange, request }
  }
  return { seen, send }
}

/**
 * The entries of a file set, by a walk. Fewer where the walk is refused.
 *
 * @param searchPath where the contract has the search of a file set, with the id in braces
 */
export async function listEntries(side: Responder, givens: Givens, searchPath: string): Promise<readonly SeenEntry[]> {
  const { seen, send } = createSend(side, givens, searchPath)
  const traffic = createTraffic(givens.keyHeader)
  await converse(createQuestioner(traffic, givens).walk({ query: { limit: 200 } }), traffic, send)
  return seen.flatMap(({ json }) => entriesOf(json) ?? [])
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
interface AnsweredQuestion {
  readonly id: BehaviourId
  readonly writes: boolean
  readonly seen: readonly SeenResponse[]
}

interface AskOptions {
  readonly givens: Givens
  readonly searchPath: string
  /** Whether probes that change something are run, and those that do not. */
  allows(writes: boolean): boolean
  report(id: BehaviourId): void
}

/** The questions of calibration that may be asked, each as a case: the stand-in gets the requests that the service got. */
export async function askCases(side: Responder, { givens, searchPath, allows, report }: AskOptions) {
  const traffic = createTraffic(givens.keyHeader)
  const asked: AnsweredQuestion[] = []
  for (const [at, probe] of [...PROBES, FILTER_WORK].entries()) {
    const { id, writes = false } = probe
    if (!probe.ask || !allows(writes)) continue
    report(id)
    // Each has a schedule of its own, so that it does not matter what was asked before.
    const own = { ...givens, viewId: givens.viewId + at, title: `Comparison ${givens.viewId + at}` }
    const { seen, send } = createSend(side, givens, searchPath)
    await askProbe(probe, traffic, createQuestioner(traffic, own), send)
    if (seen.length > 0) asked.push({ id, writes, seen })
  }
  const findings = concludeAll(traffic)
  const cases = asked.map((one) =>
    toCase(one, [...shownBy(one, findings), ...(isFirst(one, asked) ? unasked(one) : [])]),
  )
  return { cases, findings }
}

/** The other behaviours that its responses show. */
function shownBy({ seen }: AnsweredQuestion, findings: Findings): readonly string[] {
  const sources = new Set(seen.map(({ exchange }) => exchange.source))
  return [...findings].flatMap(([id, finding]) =>
    finding?.kind === 'settled' && finding.evidence.some(({ source }) => sources.has(source)) ? [id] : [],
  )
}

function isFirst(one: AnsweredQuestion, asked: readonly AnsweredQuestion[]): boolean {
  return asked.find(({ writes }) => writes === one.writes) === one
}

/** Behaviours that any response shows. */
function unasked({ writes: isWrite }: AnsweredQuestion): readonly string[] {
  return PROBES.filter(({ ask, writes = false }) => !ask && writes === isWrite).map(({ id }) => id)
}

function toCase({ id, writes, seen }: AnsweredQuestion, others: readonly string[]): Case {
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
