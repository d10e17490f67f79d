/**
 * Recovers random settings of every behaviour by calibration, or from a recorded session of so many requests, and says what was wrong or
 * left open:
 *
 *     node checks/calibrate/check.ts [--runs 1000] [--session 600] [--first 1] [--only limit.zero,limit.max] [--verbose]
 */
import { parseArgs } from 'node:util'
import { CATALOG, recover, recoverFrom, recoverFromSession, type Recovery } from './recover.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    only: { type: 'string' },
    session: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
const only = values.only === undefined ? undefined : new Set(values.only.split(','))
const [runs, first] = [Number(values.runs), Number(values.first)]
const counts = new Map(
  CATALOG.behaviours.map(({ id }) => [id, { settled: 0, sent: [] as number[], reasons: new Map<string, number>() }]),
)
let [wrong, undeclared, requests] = [0, 0, 0]

for (let seed = first; seed < first + runs; seed++) {
  const requests = values.session === undefined ? undefined : Number(values.session)
  const recovery = await (requests === undefined
    ? recover(seed, { only })
    : recoverFromSession(seed, { only, requests }))
  note(recovery)
  if (requests === undefined) conclude(recovery)
  if ((seed - first + 1) % 50 === 0)
    console.log(`${seed - first + 1} of ${runs}: ${wrong} wrong, ${undeclared} left open without reason`)
}
report()
process.exitCode = wrong + undeclared > 0 ? 1 : 0

/** A live run, read as a recording, shows no more and nothing else. */
function conclude(recovery: Recovery): void {
  const again = recoverFrom(recovery)
  for (const { id } of again.wrong) console.log(`seed ${recovery.seed}: ${id}: wrong when concluded from the recording`)
  wrong += again.wrong.length
}

function note({ seed, settings, calibration: { results, exchanges }, ...judged }: Recovery): void {
  requests += exchanges.length
  for (const { id, finding, sent } of results) {
    const count = counts.get(id)
    count?.sent.push(sent)
    if (!count) continue
    if (finding.kind === 'settled') count.settled++
    else count.reasons.set(finding.reason, (count.reasons.get(finding.reason) ?? 0) + 1)
  }
  wrong += judged.wrong.length
  undeclared += judged.undeclared.filter(({ id }) => !only || only.has(id)).length
  for (const { id, finding } of judged.wrong) {
    const found = finding.kind === 'settled' ? JSON.stringify(finding.value) : ''
    const sources =
      finding.kind === 'settled'
        ? finding.evidence.map(
            ({ source, request: { url, body }, response }) =>
              `\n    ${source}: ${url} ${body ?? ''} → ${response.status} ${response.body?.slice(0, 300) ?? ''}`,
          )
        : []
    console.log(
      `seed ${seed}: ${id}: set to ${JSON.stringify(settings[id])}, found ${found}${values.verbose ? sources.join('') : ''}`,
    )
  }
  for (const { id, finding } of judged.undeclared)
    if (values.verbose && finding.kind === 'open' && (!only || only.has(id)))
      console.log(`seed ${seed}: ${id}: open: ${finding.reason} (set to ${JSON.stringify(settings[id])})`)
}

function report(): void {
  const medians = [...counts].map(
    ([id, { sent }]) => [id, sent.toSorted((a, b) => a - b)[sent.length >> 1] ?? 0] as const,
  )
  const all = medians.map(([, median]) => median).toSorted((a, b) => a - b)
  for (const [id, { settled, reasons }] of counts) {
    if (only && !only.has(id)) continue
    const why = [...reasons]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 4)
      .map(([reason, count]) => `${count} × ${reason}`)
      .join('; ')
    console.log(
      `${id}: ${settled}/${runs} settled, ${medians.find(([one]) => one === id)?.[1] ?? 0} requests${why === '' ? '' : `; open: ${why}`}`,
    )
  }
  const share = [...counts.values()].reduce((sum, { settled }) => sum + settled, 0) / (runs * (only ?? counts).size)
  console.log(
    `${runs} random settings: ${wrong} wrong, ${(share * 100).toFixed(1)} % settled, ${undeclared} open without a reason in the catalogue; ${Math.round(requests / runs)} requests a run, median ${all[all.length >> 1] ?? 0} for a behaviour`,
  )
}
