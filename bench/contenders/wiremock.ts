import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Work } from './contender.ts'

/** Writes one stub mapping: method and path must match, the answer is constant. */
export function describeForWireMock(folder: string, { ask, answer }: Work): void {
  const [urlPath = ''] = ask.path.split('?')
  const response = { status: 200, headers: { 'Content-Type': 'application/json' }, body: answer }
  mkdirSync(join(folder, 'mappings'), { recursive: true })
  const mapping = { request: { method: ask.method, urlPath }, response }
  writeFileSync(join(folder, 'mappings/answer.json'), JSON.stringify(mapping))
}
