import { allows, shapeOf } from '../../contract/schemas/shape.ts'
import {
  type BuiltinOperation,
  type Fit,
  listed,
  MAX_TARGETS,
  type OperationShapes,
  type Resource,
} from '../resource.ts'
import { WALK_FAULTS } from '../../faults/page-faults.ts'
import type { State } from '../../engine/state.ts'
import { counted } from '../../errors/wording.ts'
import { fileSetState } from './file-set-state.ts'
import { createFileRules, fileSetFixtures, noteInvalidFiles } from './fixtures.ts'
import { createSearchCaches, type SearchCaches } from './search/search-caches.ts'
import { searchCoverage } from './search/search-coverage.ts'
import { createSearchFaults } from './search/search-faults.ts'
import { createSearchFiles } from './search/search-files.ts'
import { fileSetRoutes } from './file-set-routes.ts'
import { createSearchExplanation } from './search/explain-search.ts'

/** File sets and the search of their files. */
export function createFileSets(): Resource {
  const caches = createSearchCaches()
  return {
    state: fileSetState,
    controlRoutes: fileSetRoutes,
    faultKinds: WALK_FAULTS,
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
  const files = [...fileSets.values()].reduce((sum, { entries }) => sum + entries.fileCount, 0)
  return [counted(fileSets.size, 'file set'), counted(files.toLocaleString('en'), 'file')]
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
  const has = response.properties.size === 0 ? 'is no object' : `has ${listed(response.properties.keys())}`
  const obstacle = isPage ? undefined : `its response needs a list \`files\`, but ${has}`
  return { obstacle, lack: lackOf(operation, body.properties, response.properties) }
}

type Names = ReadonlyMap<string, unknown>

function lackOf({ queryNames }: OperationShapes['operation'], body: Names, response: Names): string | undefined {
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
