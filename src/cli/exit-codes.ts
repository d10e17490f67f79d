/** Exit codes other than 0 and 1. */
export const EXIT = { differs: 2, belowLimit: 3, open: 3, timedOut: 124, interrupted: 130 } as const

/** Every exit code, for `--help` and docs/reference.md. */
export const EXIT_CODES: readonly { readonly code: number; readonly commands: string; readonly meaning: string }[] = [
  { code: 0, commands: 'all', meaning: 'it did what was asked; `serve` was stopped with SIGTERM or Ctrl-C' },
  {
    code: 1,
    commands: 'all',
    meaning:
      'it was refused or failed, and standard error says why: a flag, a file, a port, a server that is not ready',
  },
  { code: 1, commands: '`check --strict`', meaning: 'there are notes' },
  { code: 1, commands: '`doctor`', meaning: 'a check failed; warnings do not count' },
  { code: EXIT.differs, commands: '`replay`', meaning: 'the run was repeated, and something was not the same' },
  { code: EXIT.belowLimit, commands: '`coverage`', meaning: 'the coverage is below --min, or above --max-assumed' },
  { code: EXIT.belowLimit, commands: '`mutate`', meaning: 'the score is below --min-score' },
  { code: EXIT.differs, commands: '`calibrate --profile`', meaning: 'the service has drifted from the profile' },
  { code: EXIT.differs, commands: '`compare`', meaning: 'the service responds differently' },
  { code: EXIT.open, commands: '`calibrate`', meaning: 'the profile was written, and some probes settled nothing' },
  {
    code: EXIT.differs,
    commands: '`diff`',
    meaning: 'a change breaks clients; with `--har` or `--url`, it breaks one of these requests',
  },
  { code: EXIT.differs, commands: '`lock --check`', meaning: 'a document is no longer as it was locked' },
  { code: EXIT.timedOut, commands: '`wait`', meaning: 'the server was not ready in time, as with `timeout`' },
  {
    code: EXIT.interrupted,
    commands: '`import`, `wait`, `init`, `learn`, `calibrate`, `compare`, `mutate`',
    meaning: 'Ctrl-C ended it before it was done',
  },
]
