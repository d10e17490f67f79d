import type { CoverageCount, CoverageShare } from '../../../../src/control/client/types.ts'

/** The share is also a text beside it. */
export function Bar({ share: { percent } }: { readonly share: CoverageShare }) {
  return (
    <span class={`coverage-bar ${percent >= 100 ? 'coverage-full' : ''}`} aria-hidden="true">
      <span style={{ width: `${percent}%` }} />
    </span>
  )
}

export function percentOf({ percent }: CoverageShare): string {
  return `${percent.toFixed(1)} %`
}

interface ChipsProps {
  readonly counts: readonly CoverageCount[]
  /** Whether what was used should not be. */
  readonly isWarning?: boolean
}

/** Names; those that were used say how often, so that it is not told by colour alone. */
export function Chips({ counts, isWarning = false }: ChipsProps) {
  return (
    <ul class="plain coverage-chips">
      {counts.map(({ name, count }) => (
        <li key={name} class={count === 0 ? '' : isWarning ? 'coverage-beyond' : 'coverage-used'}>
          {name}
          {count === 0 ? <span class="visually-hidden"> not covered</span> : ` ×${count.toLocaleString('en')}`}
        </li>
      ))}
    </ul>
  )
}
