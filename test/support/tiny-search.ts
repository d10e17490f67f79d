import { onTestFinished } from 'vitest'
import type { Response } from 'supertest'
import { rowsOf, SEARCH, type Tester } from './tester.ts'

const files = ['a.txt', 'b.txt', 'c.txt'].map((path) => ({ path }))

/** A fixture with a file set of three files. */
export const tiny = { fileSets: [{ id: 'tiny', files }] }
export const options = { fixtures: [tiny] }

/** The path of a search in it. */
export const TINY = `${SEARCH}/tiny/files/search`

/** Starts the server of a test on a port, until the test ends. */
export async function start({ standin }: Tester): Promise<string> {
  onTestFinished(() => standin.stop())
  return standin.start()
}

/** The behaviours that a response depends on besides those of a plain search. */
export async function moreRows({ search }: Tester, response: Response): Promise<string[]> {
  const usual = rowsOf(await search())
  return rowsOf(response).filter((row) => !usual.includes(row))
}

export function typeOf(response: Response): string {
  return (response.body as { type: string }).type.replace('/problems/', '')
}
