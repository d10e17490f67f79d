import { Link } from 'wouter-preact'
import { type MutantVerdict, VERDICT_WORDS } from '../../../../src/control/client/mutation-report.ts'
import { Empty } from '../../parts/empty.tsx'
import { Prose } from '../../parts/prose.tsx'
import { counted } from '../history/event-words.ts'
import { addressOf, type ListedMutant } from './mutants.ts'

interface MutantListProps {
  readonly mutants: readonly ListedMutant[]
  readonly selected: ListedMutant | undefined
  readonly isFiltered: boolean
}

/** The changes of the service, those of one verdict together. */
export function MutantList({ mutants, selected, isFiltered }: MutantListProps) {
  if (mutants.length === 0)
    return isFiltered ? (
      <Empty title="No change matches the filter" />
    ) : (
      <Empty icon="done" title="Nothing to do">
        <p>The client copes with each change that the contract allows, and a test notices each that it does not.</p>
      </Empty>
    )
  return (Object.keys(VERDICT_WORDS) as MutantVerdict[]).map((verdict) => {
    const found = mutants.filter((one) => one.verdict === verdict)
    return found.length === 0 ? null : (
      <section key={verdict}>
        <h2>
          {TITLES[verdict]} ({found.length})
        </h2>
        <ul class="plain mutation-list">
          {found.slice(0, SHOWN).map((one) => (
            <Row key={one.id} mutant={one} isSelected={one.id === selected?.id} />
          ))}
        </ul>
        {found.length > SHOWN ? <p class="quiet">and {found.length - SHOWN} more; the filter finds them</p> : null}
      </section>
    )
  })
}

/** Of one verdict; a response has many members. */
const SHOWN = 300

/** As the terminal has them. */
const TITLES: Readonly<Record<MutantVerdict, string>> = {
  relies: 'Your client relies on an assumption',
  'timed-out': 'Your client does not come to an end',
  gap: 'No test would notice another value',
  'looks-on': 'The tests stay green, and would if the response were wrong',
  copes: 'The client copes',
  noticed: 'A test notices',
  accepted: 'Accepted',
  equivalent: 'No test received anything else',
  unfinished: 'Not tried by all tests',
}

function Row({ mutant, isSelected }: { readonly mutant: ListedMutant; readonly isSelected: boolean }) {
  const { id, change, telling } = mutant
  return (
    <li>
      <Link href={addressOf(id)} class="list-link mutation" data-item="opens" aria-current={isSelected}>
        <span>
          <code class="list-title">{id}</code>
          <span class="list-note">
            <Prose text={change} />
          </span>
        </span>
        {telling.length === 0 ? null : <span class="quiet">{counted(telling.length, 'test', 'tests')}</span>}
      </Link>
    </li>
  )
}
