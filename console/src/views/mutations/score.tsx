import { type MutantVerdict, type SavedRun, VERDICT_WORDS } from '../../../../src/control/client/mutation-report.ts'
import { Bar, percentOf } from '../coverage/share.tsx'
import '../coverage/coverage.css'
import { counted } from '../history/event-words.ts'

/** The score of a run, and how often each verdict was given. */
export function Score({ run }: { readonly run: SavedRun }) {
  const { contract, command, score, flaky, untried, isInterrupted, tests } = run
  const mutants = Object.values(run.mutants)
  const share = score === undefined ? undefined : { covered: 0, total: 0, percent: score }
  const verdicts = Object.keys(VERDICT_WORDS) as MutantVerdict[]
  return (
    <>
      {share ? (
        <>
          <p class="coverage-total">
            <strong>{percentOf(share)}</strong>
            <span class="quiet">of the changes are noticed or coped with</span>
          </p>
          <Bar share={share} />
        </>
      ) : null}
      <p class="quiet">
        {contract} · {counted(Object.keys(tests).length, 'test', 'tests')} of <code>{command.join(' ')}</code>
      </p>
      <ul class="plain tags mutation-verdicts">
        {verdicts.map((verdict) => {
          const count = mutants.filter((one) => one.verdict === verdict).length
          return count === 0 ? null : (
            <li key={verdict} class={`tag ${VERDICT_TAGS[verdict]}`}>
              {count} {VERDICT_WORDS[verdict]}
            </li>
          )
        })}
      </ul>
      {untried > 0 ? (
        <p class="quiet">
          {counted(untried, 'change was', 'changes were')} not tried{isInterrupted ? ': the run was interrupted' : ''}.
        </p>
      ) : null}
      {flaky.length > 0 ? <p class="quiet">Flaky without any change, and left out: {flaky.join(', ')}</p> : null}
    </>
  )
}

/** The class that colours each verdict. */
export const VERDICT_TAGS: Readonly<Record<MutantVerdict, string>> = {
  relies: 'tag-bad',
  'timed-out': 'tag-bad',
  gap: 'tag-warn',
  'looks-on': 'tag-warn',
  copes: 'tag-good',
  noticed: 'tag-good',
  accepted: 'tag-plain',
  equivalent: 'tag-plain',
  unfinished: 'tag-plain',
}
