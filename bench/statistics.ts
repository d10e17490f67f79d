/** The smallest value that at least this share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/**
 * The exponent `b` of `cost = a × size ^ b` that fits best (least squares of the logarithms): 0 for what does not grow, 1 for what
 * is linear.
 */
export function exponentOf(points: readonly (readonly [size: number, cost: number])[]): number {
  const logs = points.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const)
  const mean = (of: (point: readonly [number, number]) => number) =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length
  const [x, y] = [mean(([size]) => size), mean(([, cost]) => cost)]
  const covariance = mean(([size, cost]) => (size - x) * (cost - y))
  return covariance / mean(([size]) => (size - x) ** 2)
}
