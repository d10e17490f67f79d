/** What a campaign is. All are listed in `campaigns.ts`; what each does is in a file of its own. */

export interface Campaign {
  /** What holds in every case, in one sentence for docs/performance.md. */
  readonly about: string
  /** The cases of a full run. */
  readonly cases: number
  /** Cases in one round, the unit that a seed and a number reproduce; 1 when absent. */
  readonly casesPerRound?: number
  /** How many workers share the rounds; one for each processor when absent. */
  readonly workers?: number
  /** Its file, which is loaded in the workers; `open` is called once in each. */
  readonly load: () => Promise<{ readonly open: (options: OpenOptions) => Promise<Rounds> }>
}

export interface OpenOptions {
  readonly seed: number
  /** The rounds of the whole campaign, shared by all workers. */
  readonly rounds: number
}

export interface Rounds {
  /** @throws Error for a wrong result, with everything that is needed to understand it */
  run(round: Round): Promise<void>
  /** The last requests of the round, oldest first, for the report of a failure. */
  requests?(): readonly string[]
  /** Stops what `open` started. @returns figures for the table: `{ requests: 12345 }` */
  close(): Promise<Figures>
}

interface Round {
  /** From 0. */
  readonly number: number
  /** Depends on the seed of the run, the campaign and the number alone. */
  readonly seed: number
  /** How many; the last round of a run may have fewer than the others. */
  readonly cases: number
}

/** Figures by name; those of several workers are added up. */
export type Figures = Readonly<Record<string, number>>
