/** The first thing that a test received differently. */
export interface SeenDifference {
  /** The index of the exchange among those that the test usually has. */
  readonly at: number
  readonly operationId: string | undefined
  readonly request: string
  readonly place: string
  readonly before: unknown
  readonly after: unknown
}

/** A test under a mutant. */
export interface TestOutcome {
  readonly test: string
  /** `mistaken`: it passed, and the journal shows that its client did something wrong. */
  readonly outcome: 'passed' | 'failed' | 'timed-out' | 'mistaken'
  readonly message: string | undefined
  /** How many values it received, as a share of the usual ones. */
  readonly share: number
  /** Whether it turned red because its client gave up a request that is not safe to repeat. */
  readonly hasGivenUp?: true
  /** Undefined where the test received what it usually does. */
  readonly difference: SeenDifference | undefined
  /** The file for `standin replay`, of an attempt that failed under a schedule of faults. */
  readonly replay?: string | undefined
}

/** What each verdict means. The same words in all reports, in the order in which they are listed. */
export const VERDICT_WORDS = {
  relies: 'the client relies on an assumption',
  'timed-out': 'a test did not end',
  gap: 'no test would notice',
  'looks-on': 'the tests stay green, and would if the response were wrong',
  copes: 'the client copes',
  noticed: 'a test notices',
  accepted: 'accepted',
  equivalent: 'no test received anything else',
  unfinished: 'not tried by all tests',
} as const

/**
 * `relies`: the contract allows the change, and a test turned red. `copes`: the tests stayed green, and one of them notices when a response of that
 * operation is wrong. `looks-on`: the tests stayed green, and stay green if the response is wrong. `gap`: a test should have noticed, and none
 * did. `noticed`: a test noticed what it should. `accepted`: the team keeps it as it is. `equivalent`: no test received another value.
 * `unfinished`: the run was interrupted before all tests had tried it, and those that had did not turn red.
 */
export type MutantVerdict = keyof typeof VERDICT_WORDS

/** The verdicts that ask for something to be done. */
export const OPEN_VERDICTS: ReadonlySet<MutantVerdict> = new Set(['relies', 'timed-out', 'gap', 'looks-on'])

/** A change of the service, and what the tests made of it. */
export interface MutantRecord {
  readonly verdict: MutantVerdict
  /** What the service did otherwise, and what it usually does. */
  readonly change: string
  readonly usual: string
  /** Why the team accepts what would be reported otherwise. */
  readonly reason?: string
  readonly outcomes: readonly TestOutcome[]
  /** Of a finding: a test that would notice, and the command that tries the change again. */
  readonly readyTest?: string
  readonly again?: string
}

/** What the file of `standin mutate --format stryker` keeps of a run: for a later run, and for the console. */
export interface SavedRun {
  readonly format: 'standin-mutate-2'
  readonly contract: string
  readonly command: readonly string[]
  readonly seed: number
  readonly isInterrupted: boolean
  /** How many mutants were not tried: beyond `max`, or after an interruption. */
  readonly untried: number
  /** Tests that are not green without a change either; they are left out. */
  readonly flaky: readonly string[]
  /** In percent; absent of schedules of faults, of which only findings are kept. */
  readonly score?: number
  /** By test: what its outcomes depend on, as far as it can be known: what is served, its files, and what it requests. */
  readonly tests: Readonly<Record<string, string>>
  /** By test: the ids of pairs of settings and of schedules of faults that left it green, of which `mutants` has only findings. */
  readonly green?: Readonly<Record<string, readonly string[]>>
  readonly mutants: Readonly<Record<string, MutantRecord>>
}

/** Finds a run in the JSON of a report; undefined where it has none. */
export function savedRunIn(report: unknown): SavedRun | undefined {
  const { config } = (report ?? {}) as { readonly config?: Partial<SavedRun> }
  return config?.format === 'standin-mutate-2' ? (config as SavedRun) : undefined
}
