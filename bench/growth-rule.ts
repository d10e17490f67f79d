/** How work may grow with the size of a file set, and what is said when it grows faster. */
import type { Work } from './work.ts'

/**
 * - `flat`: the same at every size, but for the few more comparisons of a binary search, and for what lies on the page;
 * - `linear`: every entry is looked at once;
 * - `sorting`: n log n, of texts that share more with their neighbours the more of them there are.
 */
export type GrowthOrder = 'flat' | 'linear' | 'sorting'

/** The largest factor from one size to the next, ten times as large. The next worse order is far above each of them. */
const MAX_GROWTH: Readonly<Record<GrowthOrder, number>> = { flat: 1.5, linear: 12, sorting: 17 }

/** By counter: what is too little to stand out from noise. */
const SLACK = { steps: 500, moved: 2_000, allocated: 2 ** 19 } as const
type Counter = keyof typeof SLACK

const NAMES: Readonly<Record<Counter, string>> = {
  steps: 'blocks of our code entered',
  moved: 'elements or characters that built-in methods went over',
  allocated: 'bytes allocated',
}

/** What was counted at one size. */
export interface Measured {
  readonly files: number
  readonly work: Work
}

/** Factor by which a counter grew from each size to the next, the largest one. */
export function largestGrowth(measured: readonly Measured[], counter: Counter): number {
  return Math.max(...pairs(measured).map(([small, large]) => large.work[counter] / Math.max(1, small.work[counter])))
}

/**
 * What is wrong with the growth, for a person who has never seen this guard; undefined when it is in order.
 *
 * @param extraBytes what may be allocated at one size and not at a smaller one, where a small set keeps computed values
 */
export function complainOfGrowth(
  what: string,
  order: GrowthOrder,
  measured: readonly Measured[],
  { extraBytes = 0 }: { readonly extraBytes?: number | undefined } = {},
): string | undefined {
  const slack = { ...SLACK, allocated: SLACK.allocated + extraBytes }
  for (const counter of Object.keys(SLACK) as Counter[]) {
    const broken = pairs(measured).find(
      ([small, large]) => large.work[counter] > small.work[counter] * MAX_GROWTH[order] + slack[counter],
    )
    if (!broken) continue
    const [small, large] = broken
    const factor = (large.work[counter] / Math.max(1, small.work[counter])).toFixed(1)
    return [
      `${what}: the ${NAMES[counter]} grow too fast with the size of the file set.`,
      `  counted   ${measured.map(({ files, work }) => `${format(work[counter])} at ${format(files)} files`).join(', ')}`,
      `  expected  ${order}: at most × ${MAX_GROWTH[order]} for ten times the files`,
      `  received  × ${factor} from ${format(small.files)} to ${format(large.files)} files`,
      ...(counter === 'moved'
        ? ['  look at   who had most of it done:', ...growers(small.work.movedWhere, large.work.movedWhere)]
        : ['  look at   what grew most, in blocks entered:', ...growers(small.work.where, large.work.where)]),
    ].join('\n')
  }
  return undefined
}

const MAX_GROWERS = 4

function growers(small: ReadonlyMap<string, number>, large: ReadonlyMap<string, number>): string[] {
  return [...large]
    .map(([name, count]) => ({ name, count, before: small.get(name) ?? 0 }))
    .filter(({ count, before }) => count > before)
    .sort((a, b) => b.count - b.before - (a.count - a.before))
    .slice(0, MAX_GROWERS)
    .map(({ name, count, before }) => `            ${name}: ${format(before)} → ${format(count)}`)
}

function pairs<T>(values: readonly T[]): (readonly [T, T])[] {
  return values.slice(1).map((value, at) => [values[at]!, value] as const)
}

export function format(count: number): string {
  return Math.round(count).toLocaleString('en')
}
