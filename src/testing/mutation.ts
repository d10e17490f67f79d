import { stripVTControlCharacters } from 'node:util'
import { stringifyJson } from '../base/formats/json.ts'

/** A test, as its runner names it. */
export interface NamedTest {
  /** Its own name. */
  readonly name: string
  /** Its name with those of the groups that it is in. */
  readonly fullName: string
  readonly file: string
}

/** Where an attempt of a test runs. */
interface MutationAttempt {
  readonly sandbox: string
  /** Whether there was nothing left to try: the test need not run. */
  readonly isSpare: boolean
}

/** What `standin mutate` tells the tests that it runs: each attempt has a sandbox with a change of the service, or without. */
export interface MutationSession {
  begin(test: NamedTest): Promise<MutationAttempt>
  /** @param failure the message of the first error; undefined for an attempt that passed */
  end(sandbox: string, failure: string | undefined): Promise<void>
  /** How many attempts tests of a file have to make, by full name. */
  attempts(file: string, names: readonly string[]): Promise<Readonly<Record<string, number>>>
}

/** Why a test failed, with the kind of error: an assertion tells something else than an error of the client. */
export function failureOf(error: { readonly name?: string; readonly message?: string } | null | undefined): string {
  const { name = 'Error', message = 'it failed' } = error ?? {}
  // Playwright colours its messages.
  const plain = stripVTControlCharacters(message)
  return name === 'Error' || plain.startsWith(name) ? plain : `${name}: ${plain}`
}

/** The session of the `standin mutate` that started this process; undefined in all other runs. */
export function findMutationSession(): MutationSession | undefined {
  const address = process.env.STANDIN_MUTATE ?? ''
  if (address === '') return undefined
  const ask = async (action: string, body: object): Promise<unknown> => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(`${address}/${action}`, { method: 'POST', headers, body: stringifyJson(body) })
    if (!response.ok) throw new Error(`standin mutate refused "${action}" with ${response.status}.`)
    return response.json()
  }
  return {
    begin: async (test) => (await ask('begin', test)) as MutationAttempt,
    async end(sandbox, failure) {
      await ask('end', { sandbox, failure })
    },
    attempts: async (file, names) => (await ask('attempts', { file, names })) as Readonly<Record<string, number>>,
  }
}
