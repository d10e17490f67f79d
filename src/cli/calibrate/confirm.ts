import { createStandin } from '../../app/setup/create-standin.ts'
import { MACHINE } from '../../app/setup/machine.ts'
import { loadContract } from '../../contract/load/load.ts'
import { readPackaged } from '../../base/formats/source-file.ts'
import type { Calibration, Result } from '../../truth/calibrate/calibrate.ts'
import { compareSession } from '../../truth/compare/compare-session.ts'
import type { Difference } from '../../truth/recordings/differences/find-differences.ts'
import { createTarget } from '../../truth/recordings/target.ts'

/** A calibration whose conclusions were tried. */
export interface ConfirmedCalibration extends Calibration {
  /** How many requests were sent again, and to how many a stand-in responds as the service did: by default, and with the profile. */
  readonly agreement: { readonly requests: number; readonly before: number; readonly after: number }
}

/**
 * Sends the requests of a calibration again, to a stand-in with its findings. Where this does not respond as the service did to what
 * shows a finding, something is different that no setting says: the finding is likely then, and not certain.
 *
 * @param keys those of the requests
 */
export async function confirm(calibration: Calibration, keys: readonly string[]): Promise<ConfirmedCalibration> {
  const { exchanges, results } = calibration
  const settled = results.flatMap(({ id, finding }) => (finding.kind === 'settled' ? [[id, finding.value]] : []))
  const behaviours = Object.fromEntries(settled) as Readonly<Record<string, unknown>>
  const before = await respond(exchanges, {}, [])
  const after = await respond(exchanges, behaviours, keys)
  const agreeing = (found: typeof after) => [...found.values()].filter(({ length }) => length === 0).length
  const usual = usualDifferences(after)
  const confirmed = results.map((result): Result => {
    const { finding } = result
    if (finding.kind !== 'settled') return result
    const found = finding.evidence.flatMap((one) => after.get(one) ?? []).find((one) => !usual.has(keyOf(one)))
    if (!found) return result
    const { kind, where, target, standin } = found
    // Other values may be private.
    const differs = kind === 'status' ? `status ${target}, and ${standin} with this setting` : `${kind} of ${where}`
    return { ...result, finding: { ...finding, certainty: 'likely', differs } }
  })
  const agreement = { requests: after.size, before: agreeing(before), after: agreeing(after) }
  return { ...calibration, results: confirmed, agreement }
}

/** The differences of the first success of each method, which is a plain request: what they say is not about the others in particular. */
function usualDifferences(found: Awaited<ReturnType<typeof respond>>): ReadonlySet<string> {
  const successes = [...found].filter(([{ response }]) => response.status < 300)
  const firsts = [...Map.groupBy(successes, ([{ request }]) => request.method).values()].flatMap((all) =>
    all.slice(0, 1),
  )
  return new Set(firsts.flatMap(([, differences]) => differences.map(keyOf)))
}

function keyOf({ kind, where }: Difference): string {
  return `${kind} ${where}`
}

/** What a stand-in with these behaviours responds otherwise. */
async function respond(
  exchanges: Calibration['exchanges'],
  behaviours: Readonly<Record<string, unknown>>,
  keys: readonly string[],
) {
  const isListed = behaviours['auth.keys'] === 'listed'
  const standin = createStandin({
    files: 0,
    profile: { behaviours },
    ...(isListed ? { keys: keys.map((key, at) => ({ key, userId: at + 1 })) } : {}),
  })
  const url = await standin.start()
  try {
    const { signal } = new AbortController()
    const target = createTarget({ url, rate: Infinity, timeout: 10_000, machine: MACHINE, signal })
    const contract = loadContract(readPackaged('spec/openapi.yaml'), { isTrusted: true })
    return await compareSession(exchanges, { control: standin.control, target, contract, search: SEARCH })
  } finally {
    await standin.stop()
  }
}

const SEARCH = '/api/files/v1/filesets/{fileSetId}/files/search'
