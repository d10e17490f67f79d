import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { createDirectory } from '../command.ts'

type Members = Record<string, unknown>

const PATHS = {
  search: '/paths/~1api~1files~1v1~1filesets~1{fileSetId}~1files~1search/post',
  create: '/paths/~1api~1content~1v1~1reportschedules/post',
  update: '/paths/~1api~1content~1v1~1reportschedules~1{scheduleId}/put',
} as const

/** The parts of a contract that tests change. */
export interface Parts {
  /** The object at a JSON pointer. */
  at(pointer: string): Members
  /** The members of a schema of `components`. */
  properties(schema: string): Members
  operation(name: keyof typeof PATHS): Members
  /** The documented answers of an operation, by status. */
  answers(name: keyof typeof PATHS): Members
}

const text = readFileSync(fileURLToPath(new URL('../../../spec/openapi.yaml', import.meta.url)), 'utf8')

/** The contract of the package with something otherwise, as JSON. */
export function changedContract(change: (parts: Parts) => void): string {
  const document: unknown = parse(text)
  const at = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((held, part) => (held as Members)[part.replaceAll('~1', '/')], document) as Members
  change({
    at,
    properties: (schema) => at(`/components/schemas/${schema}/properties`),
    operation: (name) => at(PATHS[name]),
    answers: (name) => at(`${PATHS[name]}/responses`),
  })
  return JSON.stringify(document)
}

/** The same in a file that is gone after the test. */
export function contractFile(change: (parts: Parts) => void): string {
  const directory = createDirectory({ 'own.json': changedContract(change) })
  onTestFinished(directory.remove)
  return join(directory.path, 'own.json')
}

/** A documented answer of JSON. */
export function answerOf(schema: Members, type = 'application/json'): Members {
  return { description: 'As documented here.', content: { [type]: { schema } } }
}
