import { StartupError } from '../errors/problem.ts'
import type { Fixtures, StateRules } from '../engine/state.ts'
import type { SourceFile } from '../formats/source-file.ts'
import { type FixtureReader, type FixtureSection, readMembers } from '../resources/fixture-reader.ts'

interface ReadFixtures {
  readonly fixtures: Fixtures
  /** What the user's contract refuses of the fixtures of the package, by file. */
  readonly leftOut: ReadonlyMap<string, LeftOut>
}

interface LeftOut {
  readonly count: number
  /** The complaint about the first: where, what was expected, and the line of the contract that says so. */
  readonly first: string
}

interface FixtureOptions {
  readonly rules: StateRules
  readonly sections: readonly FixtureSection[]
  /** Whether to leave out what the contract refuses of a file that was not written for it. */
  isSpare(document: SourceFile): boolean
}

const MAX_COMPLAINTS = 20

/**
 * Reads fixture files, in order. Later files may replace things of earlier ones.
 *
 * @throws StartupError with file, line and remedy of everything that is wrong
 */
export function readFixtures(
  documents: readonly SourceFile[],
  { rules, sections, isSpare }: FixtureOptions,
): ReadFixtures {
  const complaints: string[] = []
  const leftOut = new Map<string, LeftOut>()
  const readings = sections.map((section) => section.start(rules))
  const members = sections.flatMap((section) => section.members)
  for (const document of documents) {
    const { file } = document
    const leaveOut = (why: string) => {
      const { count = 0, first = why } = leftOut.get(file) ?? {}
      leftOut.set(file, { count: count + 1, first })
    }
    const reader: FixtureReader = {
      complain(pointer, complaint) {
        if (complaints.length < MAX_COMPLAINTS) complaints.push(`${file}:${document.lineOf(pointer)}: ${complaint}`)
      },
      ...(isSpare(document) ? { spare: { leaveOut } } : {}),
    }
    const top = readMembers(document.value, '', members, 'The file', reader)
    for (const reading of readings) reading.readFile(top, reader)
  }
  if (complaints.length === 0) for (const reading of readings) reading.check?.()
  if (complaints.length > 0) throw new StartupError(complaints)
  const fixtures = Object.assign({}, ...readings.map((reading) => reading.finish())) as Fixtures
  return { fixtures, leftOut }
}
