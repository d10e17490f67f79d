import { isDeepStrictEqual } from 'node:util'
import type { BehaviourCatalog } from '../../behaviours/catalog.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { Calibration, Result } from './calibrate.ts'

/** What `standin serve --profile` reads, with the evidence for people. */
export interface ProfileDocument {
  /** The address of the service, or the files of a recording. */
  readonly target: string
  readonly calibrated: string
  /** The settings that were found, by id. */
  readonly behaviours: Readonly<Record<string, unknown>>
  /** Why each of them was concluded. */
  readonly evidence: Readonly<Record<string, ProfileEvidence>>
  /** What stays at its default, with the reason. */
  readonly open: Readonly<Record<string, OpenQuestion>>
}

interface ProfileEvidence {
  readonly certainty: 'certain' | 'likely'
  /** In what a stand-in with this setting responds otherwise. */
  readonly differs?: string
  readonly exchanges: readonly {
    readonly at: string
    readonly request: string
    readonly body?: string
    readonly response: string
  }[]
}

interface OpenQuestion {
  readonly default: unknown
  readonly reason: string
  /** The request that would settle it. */
  readonly probe?: string
}

/** Characters of a body that are kept as evidence. */
const LONGEST_BODY = 400

/**
 * @param clean removes secrets
 * @param at when it was written, as an ISO 8601 instant
 */
export function createProfile(
  { results }: Calibration,
  facts: {
    readonly catalog: BehaviourCatalog
    readonly target: string
    readonly at: string
    clean(exchange: RecordedExchange): RecordedExchange
  },
): ProfileDocument {
  const behaviours = new Map(facts.catalog.behaviours.map((behaviour) => [behaviour.id, behaviour]))
  const found = results.flatMap(({ id, finding }) => (finding.kind === 'settled' ? [{ id, finding }] : []))
  const open = results.flatMap(({ id, finding }) => (finding.kind === 'open' ? [{ id, finding }] : []))
  return {
    target: facts.target,
    calibrated: facts.at,
    behaviours: Object.fromEntries(found.map(({ id, finding }) => [id, finding.value])),
    evidence: Object.fromEntries(
      found.map(({ id, finding: { certainty, evidence, differs } }) => [
        id,
        {
          certainty,
          ...(differs === undefined ? {} : { differs: cut(differs) }),
          exchanges: evidence.map((exchange) => describe(facts.clean(exchange))),
        },
      ]),
    ),
    open: Object.fromEntries(
      open.map(({ id, finding: { reason } }) => {
        const { default: usual, probe } = behaviours.get(id) ?? {}
        return [id, { default: usual, reason, ...(probe === undefined ? {} : { probe: withoutKind(probe) }) }]
      }),
    ),
  }
}

function describe({ at, request, response }: RecordedExchange): ProfileEvidence['exchanges'][number] {
  return {
    at: new Date(at).toISOString(),
    request: `${request.method} ${request.url}`,
    ...(request.body === undefined || request.body === '' ? {} : { body: cut(request.body) }),
    response: `${response.status} ${cut(response.body ?? '')}`.trim(),
  }
}

function cut(text: string): string {
  return text.length <= LONGEST_BODY ? text : `${text.slice(0, LONGEST_BODY)}… (${text.length} characters)`
}

/** The catalogue says of each probe whether it reads or writes: `reads: search with limit=0`. */
function withoutKind(probe: string): string {
  return probe.replace(/^[^:]*: /, '')
}

/** A behaviour that the service has otherwise than a profile says. */
export interface Drift {
  readonly id: string
  readonly was: unknown
  readonly is: unknown
}

/** @param given the settings of the profile, by id */
export function findDrift(results: readonly Result[], given: Readonly<Record<string, unknown>>): readonly Drift[] {
  return results.flatMap(({ id, finding }) => {
    if (finding.kind !== 'settled' || !(id in given) || isDeepStrictEqual(given[id], finding.value)) return []
    return [{ id, was: given[id], is: finding.value }]
  })
}
