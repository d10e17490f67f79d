import { allows, shapeOf } from '../../contract/schemas/shape.ts'
import {
  type BuiltinOperation,
  type FaultedRequest,
  type FaultEffect,
  type Fit,
  listed,
  MAX_TARGETS,
  type OperationCoverage,
  type OperationFaults,
  type OperationShapes,
  type Resource,
} from '../resource.ts'
import { isOfPages } from '../../engine/faults/page-faults.ts'
import type { State } from '../../engine/state.ts'
import { counted, grouped } from '../../base/errors/wording.ts'
import { fileSetState } from './file-set-state.ts'
import { createFileRules, fileSetFixtures, noteInvalidFiles } from './fixtures.ts'
import { createSearchCaches, type SearchCaches } from './search/search-caches.ts'
import { createSearchFiles } from './search/search-files.ts'
import { fileSetRoutes } from './file-set-routes.ts'
import { createSearchExplanation } from './search/explain-search.ts'
import { asObject, isObject, asList } from '../../base/formats/json.ts'
import { fileCountOf, type FileSet } from './entries/file-set.ts'
import { invalidCursor } from './search/page-start.ts'

/** File sets and the search of their files. */
export function createFileSets(): Resource {
  const caches = createSearchCaches()
  return {
    state: fileSetState,
    controlRoutes: fileSetRoutes,
    explanations: { search: createSearchExplanation(caches) },
    initialBehaviours: {
      'file.types': REPLACE_FILES,
      'file.index': REPLACE_FILES,
      'file.download-url': REPLACE_FILES,
      'file.created-precision': REPLACE_FILES,
    },
    createRules: (parts) => ({ files: createFileRules(parts) }),
    fixtures: fileSetFixtures,
    summarise: summariseFileSets,
    generatedBy: ['file.types', 'file.index', 'file.download-url', 'file.created-precision'],
    notes: noteInvalidFiles,
    isTiedToKey: (token, seed) => caches.cursors(seed).decode(token)?.key !== undefined,
    operations: [searchOperation(caches)],
  }
}

function summariseFileSets({ fileSets }: State): readonly string[] {
  const files = [...fileSets.values()].reduce((sum, fileSet) => sum + fileCountOf(fileSet), 0)
  return [counted(fileSets.size, 'file set'), counted(grouped(files), 'file')]
}

function searchOperation(caches: SearchCaches): BuiltinOperation {
  return {
    name: 'searchFiles',
    handler: createSearchFiles(caches),
    parameter: { name: 'fileSetId' },
    pageParameter: 'next',
    hasEntries: true,
    looksLike: ({ method, segments, endsInParameter, bodyHas }) =>
      method === 'POST' &&
      !endsInParameter &&
      /search$/i.test(segments.at(-1) ?? '') &&
      segments.some((segment) => segment.startsWith('{')) &&
      bodyHas('', 'filters', 'fieldSort'),
    fit: fitSearch,
    faults: createSearchFaults(caches),
    coverage: searchCoverage,
    uses: {
      query: ['directoryPath', 'immediateChildren', 'limit', 'next'],
      body: {
        fieldSort: [{ field: true, order: true }],
        filters: [{ field: true, value: true, not: true, operator: true }],
        dateFilters: [{ field: true, start: true, end: true, not: true }],
      },
    },
    dependsOn: ['page', 'limit', 'next', 'set', 'search', 'file', 'dir', 'sort', 'filter', 'like', 'equals', 'date'],
    findTargets: ({ fileSets }) =>
      Promise.resolve([...fileSets.keys()].slice(0, MAX_TARGETS).map((fileSetId) => ({ path: { fileSetId } }))),
    integers: { query: { limit: { form: 'limit.format', range: 'limit.int32' } } },
    example: {
      path: 'demo',
      query: 'limit=3',
      body: { filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] },
    },
  }
}

const REPLACE_FILES = 'To change the files of a sandbox, replace them through the file routes'

function fitSearch({ operation, body, response, document }: OperationShapes): Fit {
  const files = response.properties.get('files')
  const isPage =
    response.properties.size === 0
      ? allows(response, 'object')
      : files !== undefined && allows(shapeOf(document, files, 'any'), 'array')
  const has = response.properties.size === 0 ? 'is not an object' : `has ${listed(response.properties.keys())}`
  const obstacle = isPage ? undefined : `its response needs a list \`files\`, but ${has}`
  return { obstacle, lack: lackOf(operation, body.properties, response.properties) }
}

type FileSetNames = ReadonlyMap<string, unknown>

function lackOf(
  { queryNames }: OperationShapes['operation'],
  body: FileSetNames,
  response: FileSetNames,
): string | undefined {
  const query = ['limit', 'next', 'directoryPath', 'immediateChildren'].filter((name) => !queryNames.has(name))
  const members = ['filters', 'dateFilters', 'fieldSort'].filter((name) => !body.has(name))
  const lacks = [
    ...(query.length > 0 ? [`no query parameter ${query.join(', ')}`] : []),
    ...(members.length > 0 ? [`no ${members.join(', ')} in the body`] : []),
    ...(response.size > 0 && !response.has('pageContext') ? ['no pageContext in the response'] : []),
  ]
  if (lacks.length === 0) return undefined
  const limit = query.includes('limit') ? ' Pages have the usual length.' : ''
  return `the contract has ${lacks.join('; ')}, which the search works by.${limit}`
}

/** What searches can filter and sort by, as the behaviours have it. */
const searchCoverage: OperationCoverage = {
  values: (settings) => ({
    'filter fields': settings['filter.fields'].fields,
    'filter operators': settings['filter.operators'],
    'date filters': DATE_FILTERS,
    'sort fields': settings['sort.fields'],
    'sort orders': settings['sort.order-values'] === 'asc-only' ? ['ASC'] : ['ASC', 'DESC'],
  }),
  used({ body }, note) {
    const { filters, dateFilters, fieldSort } = asObject(body)
    for (const { field, operator } of asList(filters).filter(isObject)) {
      note('filter fields', String(field))
      note('filter operators', String(operator))
    }
    for (const { start = null, end = null, not } of asList(dateFilters).filter(isObject)) {
      if (start !== null && end !== null) note('date filters', 'between')
      else note('date filters', start === null ? 'until' : 'since')
      if (not === true) note('date filters', 'not')
    }
    for (const { field, order } of asList(fieldSort).filter(isObject)) {
      note('sort fields', String(field))
      note('sort orders', String(order).toUpperCase())
    }
  },
}

const DATE_FILTERS = ['since', 'until', 'between', 'not']

/** What faults do to searches. */
function createSearchFaults({ cursors }: Pick<SearchCaches, 'cursors'>): OperationFaults {
  return {
    // The edit is of the last file of the previous page, and only its removal is possible.
    meets: ({ kind, edit }) => isOfPages(kind) || (kind === 'conflicting-edit' && edit === 'remove'),
    page(request) {
      const token = tokenOf(request)
      if (token === '') return 1
      const cursor = cursors(request.state.seed).decode(token)
      return cursor && cursor.pages + 1
    },
    before(fault, request) {
      const token = tokenOf(request)
      if (fault.kind === 'cursor-expired')
        return token === ''
          ? undefined
          : { problem: invalidCursor('next.expiry', 'a token that has not expired', token) }
      const fileSet = fileSetOf(request)
      if (fault.kind === 'stale-read') return staleRead(request, fileSet, fault.versions)
      if (fault.kind !== 'conflicting-edit' || fault.edit !== 'remove') return undefined
      const last = cursors(request.state.seed).decode(token)?.place.at(-1)
      const slot = typeof last === 'string' ? fileSet?.entries.slotWithId(last) : undefined
      if (!fileSet || slot === undefined || fileSet.entries.isDirectory(slot)) return undefined
      const { path } = fileSet.entries.record(slot)
      return { events: [{ type: 'files.removed', fileSetId: fileSet.id, paths: [path] }] }
    },
  }
}

function tokenOf({ search }: FaultedRequest): string {
  return new URLSearchParams(search).get('next') ?? ''
}

function fileSetOf({ state, named = '' }: FaultedRequest): FileSet | undefined {
  try {
    return state.fileSets.get(decodeURIComponent(named))
  } catch {
    // The request is refused later for what cannot be decoded.
    return undefined
  }
}

/** The state with an earlier version of the file set, or its oldest known one. */
function staleRead({ state }: FaultedRequest, fileSet: FileSet | undefined, versions: number): FaultEffect | undefined {
  const earlier = [...(fileSet?.past.entries() ?? [])]
  const [version, entries] = earlier.at(-versions) ?? earlier[0] ?? []
  if (!fileSet || version === undefined || entries === undefined) return undefined
  const past = new Map(earlier.filter(([one]) => one < version))
  return {
    state: { ...state, fileSets: new Map(state.fileSets).set(fileSet.id, { ...fileSet, version, entries, past }) },
  }
}
