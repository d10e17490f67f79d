import { compareInstants, encodeInstant, type Instant } from '../../../../base/formats/instant.ts'
import { instantOf } from '../../condition-uses.ts'
import { settled } from '../../finding.ts'
import { probe, type Probe } from '../../probe.ts'
import type { SeenEntry } from '../../search-seen.ts'
import { deduce } from '../../search-model/deduction.ts'
import { probeByDeduction } from '../deduced.ts'

interface DateRange {
  readonly start?: unknown
  readonly end?: unknown
  readonly field?: string
}

function within(...ranges: readonly DateRange[]) {
  return { body: { dateFilters: ranges.map((range) => ({ field: 'created', ...range })) } }
}

const BOUNDS = ['date.start', 'date.end']

/** The instants at which entries were created, each once. */
function instantsOf(entries: readonly SeenEntry[]): readonly string[] {
  const instants = entries.flatMap(({ created }) => instantOf(created) ?? []).sort(compareInstants)
  return [...new Set(instants.map(encodeInstant))]
}

function* boundsAt(entries: readonly SeenEntry[]) {
  const instants = instantsOf(entries)
  for (let at = 0; at + 1 < instants.length; at += 1 + (instants.length >> 3))
    yield within({ start: instants[at], end: instants[at + 1] })
}

const NO_DATES = 'fewer than two different dates of creation were seen'
const [YEAR_2000, YEAR_2001] = ['2000-01-01T00:00:00Z', '2001-01-01T00:00:00Z']
const AN_HOUR_AHEAD = '2000-01-01T01:00:00+01:00'

export const DATES: readonly Probe[] = [
  ...(['date.start', 'date.end'] as const).map((id) =>
    probeByDeduction(id, {
      together: BOUNDS,
      missing: NO_DATES,
      candidates: ({ entries }) => boundsAt(entries),
    }),
  ),

  probe({
    id: 'date.open-end',
    conclude(traffic) {
      const { contradictionOf, scopeOf } = deduce(traffic)
      const shown = traffic.searches.find((search) => {
        const { outcome, query, dateFilters, filters, files } = search
        const [only, another] = dateFilters
        if (outcome !== 'page' || query.has('next') || filters.length > 0 || !only || another) return false
        const { start, end, not } = only
        const from = instantOf(start)
        const isOpen = from && (end ?? undefined) === undefined && not !== true && scopeOf(search)
        return isOpen && files.some(({ fileType, created }) => fileType !== 'DIRECTORY' && isAfter(created, from))
      })
      if (!shown || BOUNDS.some(contradictionOf)) return undefined
      return settled('unbounded', [shown.exchange])
    },
    *ask({ search, traffic }) {
      const dates = instantsOf(traffic.searches.flatMap(({ files }) => files))
      yield* search(within({ start: dates[dates.length >> 1] ?? YEAR_2000 }))
    },
  }),

  probeByDeduction('date.open-start', {
    missing: 'no search showed it',
    *candidates({ entries }) {
      yield within({ end: instantsOf(entries)[0] ?? YEAR_2000 })
    },
  }),

  probeByDeduction('date.inverted', {
    missing: 'no search showed it',
    *candidates() {
      yield within({ start: YEAR_2001, end: YEAR_2000 })
    },
  }),

  probeByDeduction('date.format', {
    missing: 'no search showed it',
    *candidates() {
      yield within({ start: AN_HOUR_AHEAD })
      yield within({ start: Date.parse(YEAR_2000) })
    },
  }),

  probeByDeduction('date.invalid', {
    missing: 'no search showed it',
    *candidates() {
      yield within({ start: '2026-02-30T00:00:00Z' })
    },
  }),

  probeByDeduction('date.field', {
    missing: 'no search showed it',
    *candidates() {
      yield within({ field: 'name', start: YEAR_2000 })
    },
  }),
]

function isAfter(created: unknown, from: Instant): boolean {
  const at = instantOf(created)
  return at !== undefined && compareInstants(at, from) > 0
}
