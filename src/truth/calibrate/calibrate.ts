import type { BehaviourId } from '../../../types/behaviour-settings.d.ts'
import type { Behaviour, BehaviourCatalog } from '../../behaviours/catalog.ts'
import type { Options } from '../../behaviours/options.ts'
import { isObject } from '../../base/formats/json.ts'
import type { RecordedExchange, RecordedRequest } from '../recordings/recorded-exchange.ts'
import { type Probe, type Asking, createQuestioner, type Givens, type Questioner } from './probe.ts'
import { findLeftBehind, type LeftBehind, switchOff } from './left-behind.ts'
import { PROBES } from './probes/probes.ts'
import { createTraffic } from './create-traffic.ts'
import { type Finding, open, type GrowingTraffic } from './traffic.ts'

/** What was found out about one behaviour. */
export interface Result {
  readonly id: BehaviourId
  readonly finding: Finding
  /** How many requests were sent for it. */
  readonly sent: number
  /** Whether there is a probe for it, and it was run. */
  readonly isAsked: boolean
}

export interface Calibration {
  /** For every behaviour, in the order of the catalogue. */
  readonly results: readonly Result[]
  readonly exchanges: readonly RecordedExchange[]
  /** Why it ended early, as a sentence without its period; the results are those of the requests before. */
  readonly stopped?: string | undefined
  /** The report schedules that probes created. */
  readonly leftBehind: readonly LeftBehind[]
}

/** What `send` throws to end a calibration early. */
export class Stopped extends Error {}

export interface CalibrateOptions {
  readonly catalog: BehaviourCatalog
  readonly givens: Givens
  /** Sends a request. It throws `Stopped` to end the calibration. */
  readonly send: (request: RecordedRequest) => Promise<RecordedExchange>
  /** Whether probes that change something are run. */
  readonly allowWrites: boolean
  /** The probes that are run; all when absent. */
  readonly only?: ReadonlySet<string> | undefined
  readonly onProgress?: (id: BehaviourId, done: number, all: number) => void
}

/** Runs the probes against a service, one request after the other. */
export async function calibrate(options: CalibrateOptions): Promise<Calibration> {
  const { catalog, givens, send, allowWrites, only } = options
  const traffic = createTraffic(givens.keyHeader, givens.groupId)
  const questioner = createQuestioner(traffic, givens)
  const sent = new Map<BehaviourId, number>()
  // The first probe walks the file set, which gives the others what they ask for.
  const isRun = ({ id, writes }: Probe, index: number) =>
    (allowWrites || writes !== true) && (index === 0 || !only || only.has(id))
  const probes = PROBES.filter(isRun)
  let stopped: string | undefined
  try {
    for (const [index, probe] of probes.entries()) {
      const { id } = probe
      options.onProgress?.(id, index, probes.length)
      await askProbe(probe, traffic, questioner, async (request) => {
        const exchange = await send(request)
        sent.set(id, (sent.get(id) ?? 0) + 1)
        return exchange
      })
    }
    await converse(switchOff(questioner), traffic, send)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    stopped = error.message
  }
  const results = conclude(traffic, { catalog, allowWrites, only, sent })
  return { results, exchanges: traffic.exchanges, stopped, leftBehind: findLeftBehind(traffic) }
}

export type Send = CalibrateOptions['send']

/** Asks what a probe lacks, unless the traffic so far settles it. */
export async function askProbe(probe: Probe, traffic: GrowingTraffic, questioner: Questioner, send: Send) {
  const conclude = () => traffic.find(probe.id, probe.conclude(traffic))
  conclude()
  if (!probe.ask || traffic.settingOf(probe.id) !== undefined) return
  await converse(probe.ask(questioner), traffic, send)
  conclude()
}

/** Sends the requests of a conversation, one after the other. */
export async function converse(conversation: Asking<unknown>, traffic: GrowingTraffic, send: Send): Promise<void> {
  for (let step = conversation.next(); step.done !== true;) {
    const exchange = await send(step.value)
    traffic.add(exchange)
    step = conversation.next(exchange)
  }
}

/** Draws the same conclusions from recorded traffic, without sending anything. */
export function calibrateFrom(
  exchanges: readonly RecordedExchange[],
  { catalog, keyHeader }: { readonly catalog: BehaviourCatalog; readonly keyHeader: string },
): Calibration {
  const traffic = readTraffic(exchanges, keyHeader)
  return { results: conclude(traffic, { catalog, allowWrites: true, sent: new Map() }), exchanges, leftBehind: [] }
}

function readTraffic(exchanges: readonly RecordedExchange[], keyHeader: string): GrowingTraffic {
  const traffic = createTraffic(keyHeader)
  for (const exchange of exchanges) traffic.add(exchange)
  return traffic
}

/** What recorded traffic shows. */
export function findIn(exchanges: readonly RecordedExchange[], keyHeader: string): Findings {
  return concludeAll(readTraffic(exchanges, keyHeader))
}

interface Circumstances extends Pick<CalibrateOptions, 'catalog' | 'allowWrites' | 'only'> {
  readonly sent: ReadonlyMap<BehaviourId, number>
}

export type Findings = ReadonlyMap<string, Finding | undefined>

/**
 * Concludes everything anew from all of the traffic: what one probe settles may be what another one needs, so until nothing changes.
 * The rounds are bounded, since conclusions could depend on each other in a circle.
 */
export function concludeAll(traffic: GrowingTraffic): Findings {
  let findings: Findings = new Map()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = findings
    findings = new Map(
      PROBES.map((probe) => {
        const finding = probe.conclude(traffic)
        traffic.find(probe.id, finding)
        return [probe.id, finding]
      }),
    )
    const isSame = [...findings].every(([id, finding]) => {
      const earlier = before.get(id)
      return earlier?.kind === finding?.kind && valueOf(earlier) === valueOf(finding)
    })
    if (isSame) break
  }
  return findings
}

function conclude(traffic: GrowingTraffic, { catalog, allowWrites, only, sent }: Circumstances): Result[] {
  const findings = concludeAll(traffic)
  const probes = new Map(PROBES.map((probe) => [probe.id, probe]))
  return catalog.behaviours.map((behaviour) => {
    const id = behaviour.id as BehaviourId
    const finding =
      inOrder(findings.get(id), behaviour) ?? open(whyOpen(probes.get(id), behaviour.unsettled, { allowWrites, only }))
    const probe = probes.get(id)
    const isAsked = probe?.ask !== undefined && (allowWrites || probe.writes !== true) && (!only || only.has(id))
    return { id, finding, sent: sent.get(id) ?? 0, isAsked }
  })
}

/** Lists are as the catalogue has them, so that equal settings look the same. */
function inOrder(finding: Finding | undefined, { options }: Behaviour): Finding | undefined {
  if (finding?.kind !== 'settled' || !options) return finding
  return { ...finding, value: sortLists(finding.value, options) }
}

function sortLists(value: unknown, options: Options): unknown {
  if ('list' in options && Array.isArray(value)) return options.list.of.filter((one) => value.includes(one))
  if (!('parts' in options) || !isObject(value)) return value
  return Object.fromEntries(Object.entries(options.parts).map(([name, part]) => [name, sortLists(value[name], part)]))
}

const MAX_ROUNDS = 5

/** Why a behaviour is open whose probe was not allowed. */
export const WRITES = 'its probe writes; pass --allow-writes'

function valueOf(finding: Finding | undefined): string {
  return finding?.kind === 'settled' ? JSON.stringify(finding.value) : ''
}

function whyOpen(
  probe: Probe | undefined,
  unsettled: string | undefined,
  { allowWrites, only }: Pick<Circumstances, 'allowWrites' | 'only'>,
): string {
  if (!probe) return unsettled ?? 'there is no probe for it'
  if (only && !only.has(probe.id)) return 'its probe was not asked for'
  if (probe.writes === true && !allowWrites) return WRITES
  return unsettled ? `no request showed it: ${unsettled}` : 'no request showed it'
}
