/**
 * Counts work instead of time. Three counters see three kinds of it:
 *
 * - `steps`: how often each block of our own code was entered, by the precise coverage of V8. Every turn of a loop, every comparison
 *   and every record rendered enters a block, so our code does nothing n times unseen, and needs no counters for it;
 * - `moved`: elements and characters that the engine's own methods went over, which coverage does not see (`bulk.ts`);
 * - `allocated`: bytes on the heap of JavaScript. V8 hands them out in areas, so this counter is good to about a megabyte.
 *
 * The first two are the same in every run, on every machine: code is kept from being optimised, because inlined calls are not counted.
 */
import { Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { installBulkCounter } from './bulk.ts'

export interface Work {
  readonly steps: number
  readonly moved: number
  readonly allocated: number
  /** Steps by function, as `firstWhere (src/resources/file-sets/entries/search.ts:97)`. */
  readonly where: ReadonlyMap<string, number>
  /** What was moved by function. */
  readonly movedWhere: ReadonlyMap<string, number>
}

/** What `run` costs. Nothing else may run meanwhile. */
export type CountWork = (run: () => void) => Work

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly functionName: string
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

const root = join(import.meta.dirname, '..')
const source = `${pathToFileURL(join(root, 'src')).href}/`

/** Begins to count. Our code must be imported after this, or its blocks are not known. */
export function startCounting(): CountWork {
  setFlagsFromString('--no-opt')
  setFlagsFromString('--no-maglev')
  const session = new Session()
  session.connect()
  post(session, 'Profiler.enable')
  post(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const countBulk = installBulkCounter()
  const lines = createLineFinder()
  // Taking the counts sets them to zero.
  const take = () => post(session, 'Profiler.takePreciseCoverage') as Coverage
  return (run) => {
    take()
    const allocatedBefore = getHeapStatistics().total_allocated_bytes
    const { total: moved, where: movedWhere } = countBulk(run)
    const allocated = getHeapStatistics().total_allocated_bytes - allocatedBefore
    const where = stepsByFunction(take(), lines)
    const steps = [...where.values()].reduce((sum, count) => sum + count, 0)
    return { steps, moved, allocated, where, movedWhere }
  }
}

/** In its own process the inspector answers at once. */
function post(session: Session, method: string, parameters: object = {}): unknown {
  let answer: unknown
  session.post(method, parameters, (error, result) => {
    if (error) throw error
    answer = result
  })
  return answer
}

function stepsByFunction({ result }: Coverage, lineOf: (file: string, offset: number) => number): Map<string, number> {
  const steps = new Map<string, number>()
  for (const { url, functions } of result) {
    if (!url.startsWith(source)) continue
    const file = `src/${url.slice(source.length)}`
    for (const { functionName, ranges } of functions) {
      const count = ranges.reduce((sum, range) => sum + range.count, 0)
      if (count === 0) continue
      const name = `${functionName || 'a function'} (${file}:${lineOf(file, ranges[0]?.startOffset ?? 0)})`
      steps.set(name, (steps.get(name) ?? 0) + count)
    }
  }
  return steps
}

/** Types are stripped in place, so an offset in the running code is an offset in the file. */
function createLineFinder(): (file: string, offset: number) => number {
  const texts = new Map<string, string>()
  return (file, offset) => {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
    texts.set(file, text)
    return text.slice(0, offset).split('\n').length
  }
}
