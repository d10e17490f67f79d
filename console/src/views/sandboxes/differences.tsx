import type { Difference, StateDiff } from './state-diff.ts'

interface DifferencesProps {
  readonly diff: StateDiff
  readonly left: string
  readonly right: string
}

/** The differences of two sandboxes, grouped by kind. */
export function Differences({ diff: { count, shown, groups }, left, right }: DifferencesProps) {
  if (count === 0)
    return (
      <p class="callout callout-good" role="status">
        {left} and {right} do not differ.
      </p>
    )
  return (
    <>
      <p role="status">
        {count.toLocaleString('en')} {count === 1 ? 'difference' : 'differences'}
        {shown < count ? `; the first ${shown} are shown, ${(count - shown).toLocaleString('en')} are not` : ''}.
      </p>
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h3>
            {group.title} <span class="quiet">{group.count.toLocaleString('en')}</span>
          </h3>
          <ul class="plain differences">
            {group.differences.map((one) => (
              <Row key={one.id} of={one} left={left} right={right} />
            ))}
          </ul>
          {group.differences.length < group.count ? (
            <p class="quiet">{(group.count - group.differences.length).toLocaleString('en')} more are not shown.</p>
          ) : null}
        </section>
      ))}
    </>
  )
}

/** Members of a thing that are listed. */
const MOST_MEMBERS = 12

function Row({ of: { id, title, kind, note, members }, left, right }: RowProps) {
  return (
    <li class="difference">
      <code>{id}</code> {title === undefined || title === id ? '' : title}
      <span class={`tag ${kind === 'gone' ? 'tag-bad' : kind === 'new' ? 'tag-good' : ''}`}>{kind}</span>
      {note === undefined ? null : <span class="tag tag-warn">{note}</span>}
      <Members members={members} left={left} right={right} />
    </li>
  )
}

/** The members that differ, with both values. */
export function Members({ members, left, right }: Pick<Difference, 'members'> & Omit<DifferencesProps, 'diff'>) {
  if (members.length === 0) return null
  return (
    <>
      <dl>
        {members.slice(0, MOST_MEMBERS).map(({ name, left: a, right: b }) => (
          <div key={name}>
            {name === '' ? null : <dt>{name}</dt>}
            <dd>
              <del aria-label={`in ${left}`}>{shown(a)}</del> <ins aria-label={`in ${right}`}>{shown(b)}</ins>
            </dd>
          </div>
        ))}
      </dl>
      {members.length > MOST_MEMBERS ? <p class="quiet">and {members.length - MOST_MEMBERS} more members</p> : null}
    </>
  )
}

interface RowProps extends Omit<DifferencesProps, 'diff'> {
  readonly of: Difference
}

const LONGEST = 200

function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string' && value !== '') return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  const text =
    typeof value === 'bigint'
      ? String(value)
      : JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? String(one) : one))
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
