import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** MiB in use after a collection of garbage. */
export function heapMiB(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}
