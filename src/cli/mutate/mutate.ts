import { join } from 'node:path'
import { EXIT } from '../exit-codes.ts'
import { showProgress } from '../progress.ts'
import { positive } from '../run-probes.ts'
import { type Flags, loadSettings } from '../settings.ts'
import { MACHINE } from '../../app/setup/machine.ts'
import { writeText } from '../../base/formats/source-file.ts'
import { keepFindings } from '../../truth/mutate/findings.ts'
import { mutate } from '../../truth/mutate/mutate.ts'
import { renderMutantsAsJunit, renderMutantsAsMarkdown, renderStryker } from '../../truth/mutate/report-files.ts'
import { renderText } from '../../truth/mutate/report-text.ts'
import { readSaved } from '../../truth/mutate/saved-run.ts'
import { type Mutated, scoreOf } from '../../truth/mutate/verdict.ts'

export interface MutateFlags extends Flags {
  readonly only?: string
  readonly max?: string
  readonly breaking?: boolean
  readonly pairs?: boolean
  readonly faults?: string | true
  readonly changedSince?: string
  readonly minScore?: string
  readonly format: keyof typeof RENDERERS
  readonly out?: string
  readonly jobs: string
  readonly timeout: string
}

/** `standin mutate`: Ctrl-C reports what is known so far. */
export async function mutateService(command: readonly string[], flags: MutateFlags): Promise<void> {
  const { elapsed } = MACHINE
  const config = await loadSettings(flags)
  const least = flags.minScore === undefined ? undefined : positive('--min-score', flags.minScore, 100)
  const stopping = new AbortController()
  process.once('SIGINT', () => {
    process.exitCode = EXIT.interrupted
    stopping.abort()
  })
  const began = elapsed()
  let stage: { text: string; share: number | undefined; since: number } = {
    text: 'begins',
    share: undefined,
    since: began,
  }
  const progress = showProgress(() => ({ share: stage.share, text: stage.text + timeLeft(stage, elapsed()) }))
  try {
    const mutated = await mutate({
      config,
      command,
      timeout: positive('--timeout', flags.timeout, 86_400) * 1000,
      jobs: Math.ceil(positive('--jobs', flags.jobs, 64)),
      max: flags.max === undefined ? undefined : Math.ceil(positive('--max', flags.max)),
      saved: flags.changedSince === undefined ? undefined : readSaved(flags.changedSince),
      breaking: flags.breaking === true,
      pairs: flags.pairs === true,
      faults: schedulesOf(flags.faults),
      isChosen: chooser(flags.only),
      elapsed,
      signal: stopping.signal,
      onProgress: (text, share) => {
        const isNew = share === undefined || stage.share === undefined
        stage = { text, share, since: isNew ? elapsed() : stage.since }
      },
    })
    progress.end()
    const directory = join(process.env.STANDIN_ARTIFACTS ?? join('test-results', 'standin'), 'mutate')
    writeReport(keepFindings(mutated, directory), flags)
    const score = scoreOf(mutated.results)
    if (least === undefined || score >= least || mutated.isInterrupted) return
    process.exitCode = EXIT.belowLimit
    process.stderr.write(`standin: --min-score: Expected at least ${least} %, received ${score} %.\n`)
  } finally {
    progress.end()
  }
}

/** Schedules of faults for each test, unless the flag says how many. */
const SCHEDULES = 200

function schedulesOf(asked: MutateFlags['faults']): number | undefined {
  return typeof asked === 'string' ? Math.ceil(positive('--faults', asked, 100_000)) : asked && SCHEDULES
}

const RENDERERS = {
  text: renderText,
  markdown: renderMutantsAsMarkdown,
  junit: renderMutantsAsJunit,
  stryker: renderStryker,
}

function writeReport(mutated: Mutated, flags: MutateFlags): void {
  const { format, out } = flags
  const settings = settingsIn(flags)
  const report = RENDERERS[format](mutated, settings)
  if (out === undefined) return void process.stdout.write(report)
  writeText(out, [report])
  process.stdout.write(renderText(mutated, settings))
  process.stderr.write(`wrote ${out}\n`)
}

/** Flags of the command itself, and a secret; the others say what is served. */
const OWN = new Set(
  'only breaking pairs faults max jobs changedSince minScore format out timeout controlToken'.split(' '),
)

/** The flags that say what is served, as they are written: `--contract openapi.yaml`. */
function settingsIn(flags: MutateFlags): string[] {
  const given = Object.entries(flags).filter(([name, value]) => !OWN.has(name) && value !== undefined)
  return given.flatMap(([name, value]) => {
    const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return [value].flat().flatMap((one) => (one === true ? [flag] : [flag, String(one)]))
  })
}

function timeLeft(
  { share = 0, since }: { readonly share: number | undefined; readonly since: number },
  now: number,
): string {
  if (share === 0) return ''
  return `, ${Math.ceil(((now - since) / share - (now - since)) / 1000)} s left`
}

/** `page.last=null` names one change, `page.last`, `page` and `createOrder lost` all whose ids begin with it. */
function chooser(only: string | undefined): (id: string) => boolean {
  if (only === undefined) return () => true
  const asked = only.split(',').map((one) => one.trim())
  return (id) => asked.some((one) => id === one || (id.startsWith(one) && /^[=.@ ]/.test(id.slice(one.length))))
}
