import type { Operation } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { allows, shapeOf } from '../../contract/schemas/shape.ts'
import type { BuiltinOperation } from '../../resources/builtin-operations.ts'

/** How an operation of a contract fits a role. */
export interface Fit {
  /** Why it cannot have it; undefined when it can. */
  readonly obstacle: string | undefined
  /** What of the role its contract does not have, as a sentence; undefined when it has all. */
  readonly lack: string | undefined
}

const WRITES = ['POST', 'PUT', 'PATCH']

/** What a schema names is all that is looked at: one that names nothing says nothing against it. */
export function fitOperation(operation: Operation, role: BuiltinOperation, document: unknown): Fit {
  const documented = readDocumented(document, operation)
  const success = documented.statuses.find((status) => status.startsWith('2'))
  const answer = shapeOf(
    document,
    success === undefined ? {} : documented.answer(success === '2XX' ? 200 : Number(success))?.schema,
    'any',
  )
  const body = shapeOf(document, documented.body, 'any')
  if (role !== 'searchFiles') {
    const isWrite = WRITES.includes(operation.method)
    const knows =
      body.properties.size === 0 || ['title', 'schedule', 'pageId'].some((name) => body.properties.has(name))
    const why = isWrite
      ? `its body has none of \`title\`, \`schedule\` and \`pageId\`, but ${listed(body.properties.keys())}`
      : `${operation.method} has no body; it may be ${WRITES.join(', ')}`
    return { obstacle: isWrite && knows ? undefined : why, lack: undefined }
  }
  const files = answer.properties.get('files')
  const isPage =
    answer.properties.size === 0
      ? allows(answer, 'object')
      : files !== undefined && allows(shapeOf(document, files, 'any'), 'array')
  const has = answer.properties.size === 0 ? 'is no object' : `has ${listed(answer.properties.keys())}`
  const obstacle = isPage ? undefined : `its answer needs a list \`files\`, but ${has}`
  return { obstacle, lack: lackOf(operation, body.properties, answer.properties) }
}

type Names = ReadonlyMap<string, unknown>

function lackOf({ queryNames }: Operation, body: Names, answer: Names): string | undefined {
  const query = ['limit', 'next', 'directoryPath', 'immediateChildren'].filter((name) => !queryNames.has(name))
  const members = ['filters', 'dateFilters', 'fieldSort'].filter((name) => !body.has(name))
  const lacks = [
    ...(query.length > 0 ? [`no query parameter ${query.join(', ')}`] : []),
    ...(members.length > 0 ? [`no ${members.join(', ')} in the body`] : []),
    ...(answer.size > 0 && !answer.has('pageContext') ? ['no pageContext in the answer'] : []),
  ]
  if (lacks.length === 0) return undefined
  const limit = query.includes('limit') ? ' Pages have the usual length.' : ''
  return `the contract has ${lacks.join('; ')}, which the role works by.${limit}`
}

function listed(names: Iterable<string>): string {
  return [...names].slice(0, 10).join(', ')
}
