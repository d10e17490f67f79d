/**
 * The one place where the benches of search know how Standin is put together: a state with generated files, and the operation that
 * searches them, without HTTP around it. When parts are renamed, this file follows and no other does.
 */
import { chooseBehaviours } from '../src/behaviours/behaviours.ts'
import { readJson } from '../src/base/formats/json-reading.ts'
import { runWork, type Steps } from '../src/engine/slices.ts'
import { createBehaviourTracker } from '../src/behaviours/tracker.ts'
import { readCatalog } from '../src/behaviours/catalog.ts'
import { readPackaged } from '../src/base/formats/source-file.ts'
import { createStandin } from '../src/index.ts'
import { createSearchCaches } from '../src/resources/file-sets/search/search-caches.ts'
import type { Call } from '../src/resources/handler.ts'
import { createSearchFiles } from '../src/resources/file-sets/search/search-files.ts'
import { Sandboxes } from '../src/engine/sandboxes.ts'
import type { StateRules } from '../src/engine/state.ts'
import { TRUSTED } from '../src/resources/file-sets/read-files.ts'
import { createModel } from '../src/app/resources.ts'
import { fileSetInSteps } from '../src/resources/file-sets/entries/file-set.ts'
import type { DirectoryRecord, FileRecord } from '../src/resources/file-sets/entries/file-record.ts'

/** A search as a client would send it: what goes into the query and what goes into the body. */
export interface Search {
  readonly directoryPath?: string
  readonly immediateChildren?: boolean
  readonly limit?: number
  readonly fieldSort?: readonly { readonly field: string; readonly order: 'ASC' | 'DESC' }[]
  readonly filters?: readonly {
    readonly field: string
    readonly operator: string
    readonly value: readonly string[]
    readonly not: boolean
  }[]
  readonly dateFilters?: readonly {
    readonly field: string
    readonly start: string
    readonly end: string
    readonly not: boolean
  }[]
}

/** An entry as it comes over the wire; a directory has the fields of its row `dir.fields` alone. */
export type Entry = FileRecord | DirectoryRecord

export interface Page {
  /** The JSON text of each entry, as it would be sent. */
  readonly fragments: readonly string[]
  /** The token to the next page; undefined on the last one. */
  readonly next: string | undefined
}

export interface Subject {
  /** What a request costs between its validation and its bytes: found, read, decided, and every entry taken as text. */
  page(search: Search, token?: string): Page
  add(path: string): void
  remove(path: string): void
  /** Every entry of the set by path, one after the other. */
  entries(): Iterable<Entry>
}

/** A Thursday, so that the state is the same on every day that a bench is run. */
const NOW = Date.parse('2026-03-05T00:00:00.000Z')
const FILE_SET = 'demo'

const behaviours = chooseBehaviours(readCatalog(readPackaged('spec/behaviours.yaml').value))

const refuse = () => {
  throw new Error('a state of files alone has no report schedules')
}
const RULES: StateRules = {
  firstMoment: NOW,
  files: TRUSTED,
  reportSchedules: { isAdded: refuse, completeBody: refuse, check: refuse, complete: refuse },
  collections: {
    findInvalid: refuse,
    factsOf: refuse,
    readerOf: refuse,
    fixtures: { refuseName: refuse, idIn: refuse, findWrong: refuse, findUnknown: refuse, findOrphans: refuse },
  },
  checkOverrides: () => [],
}

/** A sandbox whose only file set has this many generated files. */
function createSandbox(files: number) {
  const baseline = createModel().initial({
    seed: 42,
    firstMoment: NOW,
    clock: { mode: 'frozen', at: NOW },
    fixtures: {
      fileSets: [{ id: FILE_SET, generate: files }],
      reportSchedules: [],
      collections: new Map(),
    },
    settings: behaviours.settings,
    rules: RULES,
    ownerId: 1,
  })
  const parts = { realNow: () => NOW, behavioursOf: () => behaviours, observe: () => [] }
  return new Sandboxes({ baseline, most: 1, parts }).default
}

/** A file set of this many generated files in its own state: nothing is sorted or cached yet. */
export function createSubject(files: number): Subject {
  const sandbox = createSandbox(files)
  // A small set is made when it is first looked at.
  if (sandbox.state.fileSets.get(FILE_SET)?.entries.fileCount !== files) throw new Error('the files are not there')
  const searchFiles = createSearchFiles(createSearchCaches())
  const decide = (search: Search, token?: string) => {
    const call = createCall(search, token)
    searchFiles.assertExists(sandbox.state, call)
    const { violations, decide: decideSearch } = searchFiles.read(sandbox.state, call)
    if (violations.length > 0) throw new Error(violations.map(({ message }) => message).join('\n'))
    const { body } = runWork(decideSearch())
    if (!('page' in body)) throw new Error('the search has no page')
    return body.page
  }
  return {
    page(search, token) {
      const page = decide(search, token)
      const fragments = Array.from(page.fragments, ({ text }) => text)
      return { fragments, next: (page.context() as { readonly next?: string }).next }
    },
    add: (path) => sandbox.commit([{ type: 'files.added', fileSetId: FILE_SET, files: [createFile(path)] }]),
    remove: (path) => sandbox.commit([{ type: 'files.removed', fileSetId: FILE_SET, paths: [path] }]),
    *entries() {
      for (const { text } of decide({ limit: 2_147_483_647 }).fragments) yield JSON.parse(text) as Entry
    },
  }
}

function createCall({ directoryPath, immediateChildren, limit, ...body }: Search, token?: string): Call {
  return {
    operationId: 'searchFiles',
    requestId: '',
    key: () => '',
    path: { fileSetId: FILE_SET },
    query: {
      ...(directoryPath === undefined ? {} : { directoryPath }),
      ...(immediateChildren === undefined ? {} : { immediateChildren }),
      ...(limit === undefined ? {} : { limit }),
      ...(token === undefined ? {} : { next: token }),
    },
    body,
    header: () => undefined,
    url: () => '',
    origin: () => 'http://localhost',
    identity: { userId: 1 },
    now: NOW,
    tracker: createBehaviourTracker(behaviours),
  }
}

/** Reads a JSON text as the body of a request is read: in steps. */
export function readText(text: string): ReturnType<typeof readJson> {
  return readJson(text, 1000)
}

/** Generates this many files as a request does that asks for them: in steps. */
export function generateFiles(files: number): Steps<object> {
  return fileSetInSteps({ id: FILE_SET, generate: files }, { seed: 42, firstMoment: NOW })
}

/** A server with this many files, ready to have one added as a user of the library adds it. */
export function addThroughLibrary(files: number): () => void {
  const standin = createStandin({ files, clock: NOW })
  return () => standin.addFiles(FILE_SET, [{ path: 'added/file.txt' }])
}

function createFile(path: string): FileRecord {
  return {
    id: '00000000-0000-4000-8000-000000000000',
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    fileType: 'DOCUMENT',
    contentType: 'text/plain',
    size: 1,
    hash: '0'.repeat(64),
    hashAlgorithm: 'SHA_256_HEX',
    downloadUrl: '',
    created: '2026-03-01T09:00:00.000Z',
    createdBy: 1,
    connectorKey: null,
    indexStatus: null,
    indexReason: null,
  }
}
