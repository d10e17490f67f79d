import { styleText } from 'node:util'
import type { ReloadableStandin } from '../../app/setup/create-standin.ts'
import { counted } from '../../base/errors/wording.ts'

type CheckedSetup = Pick<ReloadableStandin, 'summary' | 'report' | 'overlays' | 'notes' | 'listOperations'>

/** What `standin check` prints of what was loaded. The playground shows it too. */
export function linesOf(standin: CheckedSetup, strict: boolean): string[] {
  const { summary, report, overlays, notes } = standin
  const applied = overlays.map((one) => `overlay ${one}`)
  return [
    ...report,
    ...applied,
    ...notes.map((note) => `${styleText('yellow', 'note:')} ${note}`),
    `${summary}: ${verdictOn(standin, strict)}`,
  ]
}

function verdictOn({ notes, listOperations }: CheckedSetup, strict: boolean): string {
  const operations = listOperations()
  const generated = operations.filter(({ handledBy }) => handledBy === 'generated').length
  if (notes.length === 0 && generated * 2 > operations.length)
    return 'it can start; generated operations remember nothing, unless x-standin or handlers give them a memory'
  return notes.length === 0
    ? styleText('green', 'all is well')
    : `it can start, with ${counted(notes.length, 'note')} (${strict ? 'refused by --strict' : 'with --strict, notes exit with status 1'})`
}
