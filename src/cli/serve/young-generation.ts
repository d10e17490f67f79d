import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of the young generation, both of its halves, at which it stops growing. */
const LARGEST = 14 * 2 ** 20

/**
 * The engine would double what new objects have up to 16 MiB, which with its two halves and what waits between them is 53 MiB of a server
 * under load. It looks at this factor each time it grows: by 1 the young generation stays as it is (decisions/0008-request-performance.md).
 */
export function limitYoungGeneration(): void {
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    if (young === undefined || young.space_size < LARGEST) return
    setFlagsFromString('--semi-space-growth-factor=1')
    observer.disconnect()
  })
  observer.observe({ entryTypes: ['gc'] })
}
