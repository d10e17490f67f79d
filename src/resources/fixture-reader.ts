import { nearest } from '../base/errors/wording.ts'
import { shown } from '../base/errors/problem.ts'
import type { Fixtures, StateRules } from '../engine/state.ts'
import type { Members } from '../base/formats/json.ts'

/** The part of fixture files that a resource reads. */
export interface FixtureSection {
  /** The members of a file that it reads. The first has the things themselves, others what they refer to. */
  readonly members: readonly string[]
  /** Starts to read files, one after the other. */
  start(rules: StateRules): FixtureReading
}

interface FixtureReading {
  /** @param top the members of the file */
  readFile(top: Members, reader: FixtureReader): void
  /** Complains of what only all files together show, such as a parent that none has. */
  check?(): void
  /** What all files together give. Called when none of them has a complaint. */
  finish(): Partial<Fixtures>
}

/** Where a reader of fixtures reports what is wrong. */
export interface FixtureReader {
  complain(pointer: string, complaint: string): void
  /** Says what is probably a mistake. */
  note?(pointer: string, text: string): void
  /** Receives what is wrong and therefore left out; undefined where it is refused instead. */
  readonly spare?: { leaveOut(why: string): void }
  /** Whether the file is known to be right, so that parts of it can be read later. */
  readonly isChecked?: boolean
  /** See `SourceFile`. */
  readonly isConstant?: boolean
}

/** Reads a part of a fixture; undefined when something is wrong with it and it may be left out. */
export function readOrLeaveOut<Reader extends FixtureReader, Part>(
  reader: Reader,
  read: (reader: Reader) => Part,
): Part | undefined {
  const { spare } = reader
  if (!spare) return read(reader)
  const complaints: string[] = []
  // Some complaints begin with the place themselves.
  const complain = (pointer: string, text: string) =>
    void complaints.push(text.startsWith('/') ? text : `${pointer}: ${text}`)
  const part = read({ ...reader, complain })
  if (complaints.length === 0) return part
  spare.leaveOut(complaints[0] ?? '')
  return undefined
}

/**
 * The members of a mapping; none for any other value.
 *
 * @param what begins the complaint, such as `The file`
 */
export function readMembers(
  value: unknown,
  pointer: string,
  known: readonly string[],
  what: string,
  { complain, isAdded }: Pick<FixtureReader, 'complain'> & { isAdded?: (name: string) => boolean },
): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (value !== null || pointer !== '')
      complain(pointer, `${what} must be a mapping with ${known.join(', ')}; it is ${shown(value)}.`)
    return {}
  }
  for (const name of Object.keys(value)) {
    if (known.includes(name) || isAdded?.(name)) continue
    const meant = nearest(name, known)
    complain(
      `${pointer}/${name}`,
      `${what} has an unknown field \`${name}\`. ${meant ? `Did you mean \`${meant}\`?` : `Known: ${known.join(', ')}.`}`,
    )
  }
  return value as Members
}

export function readList(value: unknown, pointer: string, { complain }: FixtureReader): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  complain(
    pointer,
    `\`${pointer.split('/').at(-1) ?? ''}\` must be a list; it is ${shown(value)}. Begin each element with a dash.`,
  )
  return []
}

/** The user cannot change what is left out, but can change the line of the contract that it does not fit. */
export function saidBy(source: string | undefined, { spare }: FixtureReader): string {
  return spare && source !== undefined ? ` ${source} says so.` : ''
}
