/** Several measurements of one thing. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** Throws RangeError when there is nothing to sum up. */
export function spread(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError('There are no measurements to sum up.')
  return { median: short(median(values)), min: short(Math.min(...values)), max: short(Math.max(...values)) }
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  const lower = sorted[Math.ceil(middle) - 1]
  if (upper === undefined || lower === undefined) throw new RangeError('There is no median of nothing.')
  return (lower + upper) / 2
}

/** As people read it: `28,400`, `12.5`, `3.07`, `0.0415`. */
export function formatNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en-US')
  if (size >= 10) return value.toFixed(1)
  if (size >= 1 || size === 0) return value.toFixed(2)
  return value.toPrecision(3)
}

/** `0.075 ×`, `0.62 ×`, `15.3 ×`. */
export function formatRatio(value: number): string {
  return `${value >= 10 ? formatNumber(value) : value.toFixed(value < 0.1 ? 3 : 2)} ×`
}

function short(value: number): number {
  return Number(value.toPrecision(6))
}
