import { createHash } from 'node:crypto'
import { stringifyJson } from '../../base/formats/json.ts'

/** What an initial state was created from. Equal fingerprints give the same state, byte for byte. */
export interface RunFingerprint {
  /** The version of Standin: another one may generate other files. */
  readonly standin: string
  readonly seed: number
  /** The size of the file set `demo`. */
  readonly files: number
  /** How many documents collections begin with. Absent in older logs. */
  readonly documents?: number
  /** Of names and addresses; absent for English. */
  readonly locale?: string
  /** The instant of a frozen clock, or `machine`. */
  readonly clock: string
  /** A midnight, ISO 8601; the dates of generated files lie before it. */
  readonly firstMoment: string
  /** Of the contract, as `digestOf`. */
  readonly contract: string
  /** In order. The digest identifies a file, which may have been named from another directory; the name is for messages. */
  readonly fixtures: readonly { readonly name: string; readonly digest: string }[]
  /** Settings of the behaviours that generated things depend on, by id. Absent in older logs. */
  readonly behaviours?: Readonly<Record<string, string>>
}

/** A digest of a JSON value: `sha256:…`. */
export function digestOf(value: unknown): string {
  return `sha256:${createHash('sha256').update(stringifyJson(value)).digest('hex')}`
}

/** The differences of two fingerprints, each as a sentence. */
export function differences(then: RunFingerprint, now: RunFingerprint): string[] {
  const found: string[] = []
  const say = (what: string, before: string, present: string, remedy = '') => {
    if (before !== present) found.push(`it was created with ${what} ${before}, and this start has ${present}.${remedy}`)
  }
  say(
    'Standin',
    then.standin,
    now.standin,
    ' Use that version, or take the states along with GET and PUT /__mock/state.',
  )
  say('--seed', String(then.seed), String(now.seed))
  say('--files', String(then.files), String(now.files))
  if (then.documents !== undefined) say('--documents', String(then.documents), String(now.documents))
  say('--locale', then.locale ?? 'en', now.locale ?? 'en')
  say('--clock', then.clock, now.clock)
  if (then.clock === now.clock) say('the first moment', then.firstMoment, now.firstMoment)
  say('the contract', short(then.contract), short(now.contract))
  for (let index = 0; index < Math.max(then.fixtures.length, now.fixtures.length); index++) {
    const [before, present] = [then.fixtures[index], now.fixtures[index]]
    say(`the fixture ${(before ?? present)?.name ?? ''}`, short(before?.digest), short(present?.digest))
  }
  for (const [id, before] of Object.entries(then.behaviours ?? {})) {
    const present = now.behaviours?.[id] ?? 'none'
    if (before !== present)
      found.push(`it was created with the behaviour ${id}=${before}, and this start has ${present}.`)
  }
  return found
}

/** Characters of a digest that messages show. */
function short(digest: string | undefined): string {
  return digest === undefined ? 'none' : digest.slice(0, 'sha256:'.length + 12)
}
