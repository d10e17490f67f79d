import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bind } from '../../app/binding/binding.ts'
import type { Contract } from '../../contract/contract.ts'
import { createConfig } from '../../config/create-config.ts'
import { sourcesOf } from '../../config/sources.ts'
import { compileContract } from '../../contract/load/load-configured.ts'
import { loadContract } from '../../contract/load/load.ts'
import { counted, visible } from '../../base/errors/wording.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { asObject, type Members, withNumbers } from '../../base/formats/json.ts'
import { documentPieces } from '../../base/formats/document-pieces.ts'
import { readText } from '../../base/formats/read-text.ts'
import { inlineSourceFile, isDirectory, isThere, readSourceFile, writeText } from '../../base/formats/source-file.ts'
import { readFolder } from '../../resources/fixtures/folder.ts'
import { contractOf } from '../../truth/foreign-stubs/contract-of-stubs.ts'
import type { ForeignCollection, ForeignStubs } from '../../truth/foreign-stubs/foreign-stub.ts'
import { isMockoon, readMockoon } from '../../truth/foreign-stubs/mockoon.ts'
import { handlersIn, readMsw } from '../../truth/foreign-stubs/msw.ts'
import { findRead, pathOf, type PlacedStubs, placeStubs } from '../../truth/foreign-stubs/place-stubs.ts'
import { isPostman, readPostman } from '../../truth/foreign-stubs/postman.ts'
import { isWireMock, readWireMock } from '../../truth/foreign-stubs/wiremock.ts'
import type { RecordingFlags } from './import-recordings.ts'

/** `standin import --stubs`: what other mock servers respond, as stubs of a contract, or with a contract of their own. */
export async function importStubs(paths: readonly string[], flags: RecordingFlags): Promise<void> {
  const { out, contract: own } = flags
  const files = (await Promise.all(paths.map(filesIn))).flat()
  const { stubs, leftOut, collections = [] } = await readForeign(files)
  if (stubs.length === 0 && collections.length === 0)
    throw new StartupError([
      `--stubs: nothing of ${paths.join(', ')} can be taken over.`,
      ...leftOut.slice(0, MAX_NAMED),
    ])
  const made = own === undefined ? contractOf(stubs, collections) : undefined
  const contract = made
    ? loadContract(inlineSourceFile(made, 'the contract of the stubs'))
    : compileContract(createConfig(sourcesOf({ ...flags }, process.env)))
  const placed = placeStubs(stubs, contract)
  const kept = fixtureOf(collections, contract)
  const document = made ? withStubs(made, placed) : { stubs: placed.stubs }
  write(document, out)
  const items = out !== undefined && kept.count > 0 ? out.replace(/(\.\w+)?$/, '.fixtures$1') : undefined
  if (items !== undefined) write({ collections: kept.collections }, items)
  const serve = [
    `standin serve --contract ${made ? (out ?? 'FILE') : String(own)}`,
    ...(made ? [] : [`--stubs ${out ?? 'FILE'}`]),
    ...(items === undefined ? [] : [`--fixtures ${items}`]),
  ].join(' ')
  const unkept =
    items === undefined && kept.count > 0 ? ['the items of CRUD routes: give --out, for a file beside it'] : []
  const summary =
    kept.count > 0 ? `${counted(placed.stubs.length, 'stub')}, ${counted(kept.count, 'document')}` : undefined
  for (const line of describe(placed, [...leftOut, ...placed.leftOut, ...kept.leftOut, ...unkept], { serve, summary }))
    process.stderr.write(`standin: ${visible(line)}\n`)
}

function write(document: Members, out: string | undefined): void {
  const pieces = documentPieces(document, out?.endsWith('.json') === true ? 'json' : 'yaml')
  if (out === undefined) for (const piece of pieces) process.stdout.write(piece)
  else writeText(out, pieces)
}

interface KeptItems {
  readonly collections: Members
  readonly count: number
  readonly leftOut: readonly string[]
}

/** What CRUD routes keep, as documents of the collections that the contract has for them. */
function fixtureOf(given: readonly ForeignCollection[], contract: Contract): KeptItems {
  const bindings = given.length === 0 ? undefined : bind(contract)
  const collections: Record<string, unknown> = {}
  const leftOut: string[] = []
  let count = 0
  for (const { path, key, items } of given) {
    const list = findRead(path, contract)
    const binding = list && bindings?.get(list.operationId)
    const name = binding?.kind === 'stateful' ? binding.builtin.collection : undefined
    const [wrong] = whyNotAllowed({ path, key, items }, contract)
    if (list === undefined) leftOut.push(`the CRUD route ${pathOf(path)}: the contract has no such operation`)
    else if (name === undefined)
      leftOut.push(`the CRUD route ${pathOf(path)}: ${list.operationId} remembers nothing here`)
    else if (wrong) leftOut.push(`the items of ${pathOf(path)} are not as the contract says: ${wrong.message}`)
    else {
      collections[name] = items
      count += items.length
    }
  }
  return { collections, count, leftOut }
}

/** What the contract says against items, by the response that shows one of them. */
function whyNotAllowed({ path, key, items }: ForeignCollection, contract: Contract) {
  const read = findRead([...path, { name: key }], contract)
  return items.flatMap((item) => read?.checkResponse(200, withNumbers(item), 'application/json') ?? [])
}

/** The contract with each stub in its operation, so that one file has all. */
function withStubs(document: Members, { stubs }: PlacedStubs): Members {
  const byOperation = Map.groupBy(stubs, ({ operation }) => operation)
  const paths = Object.entries(asObject(document.paths)).map(([path, item]) => {
    const operations = Object.entries(asObject(item)).map(([method, one]) => {
      const operation = asObject(one)
      if (operation['x-standin'] === undefined) return [method, operation]
      const own = byOperation.get(operation.operationId)?.map(({ operation: _named, ...stub }) => stub)
      const isOpen = own?.some(({ when, scenario }) => when === undefined && scenario === undefined) === true
      const all = isOpen ? own : [...(own ?? []), UNMATCHED]
      return [method, { ...operation, 'x-standin': { role: 'generated', stubs: all } }]
    })
    return [path, Object.fromEntries(operations) as Members]
  })
  return { ...document, paths: Object.fromEntries(paths) as Members }
}

/** Without a contract there is nothing else that a request could get. */
const UNMATCHED: Members = {
  respond: { status: 404, body: 'No stub matches this request.', contentType: 'text/plain', validate: false },
}

const MODULE = /\.[cm]?[jt]s$/

/** A file, or the JSON files of a folder. */
async function filesIn(path: string): Promise<string[]> {
  if (!isDirectory(path)) return [path]
  const { files } = await readFolder(path)
  const found = files
    .map((file) => join(path, file.path))
    .filter((file) => file.endsWith('.json') && !/\b__files\b/.test(file))
  if (found.length === 0) throw new StartupError([`--stubs: ${path} has no JSON files.`])
  return found
}

async function readForeign(files: readonly string[]): Promise<ForeignStubs> {
  const modules = files.filter((file) => MODULE.test(file))
  const documents = files
    .filter((file) => !MODULE.test(file))
    .map((file) => ({ file, value: readSourceFile(file, { namedBy: '--stubs' }).value }))
  const unknown = documents.find(({ value }) => ![isWireMock, isMockoon, isPostman].some((is) => is(value)))
  if (unknown)
    throw new StartupError([
      `--stubs: ${unknown.file} is neither a mapping of WireMock, nor an environment of Mockoon, nor a collection of Postman. Handlers of MSW are a module, such as handlers.ts.`,
    ])
  const of = (is: (value: unknown) => boolean) => documents.filter(({ value }) => is(value))
  const [mappings, environments, collections] = [of(isWireMock), of(isMockoon), of(isPostman)]
  const values = (some: typeof documents) => some.map(({ value }) => value)
  const parts = [
    readWireMock(mappings.map(({ file, value }) => ({ value, readFile: (name) => readBodyFile(file, name) }))),
    readMockoon(values(environments)),
    readPostman(values(collections)),
    ...(await Promise.all(modules.map(readModule))),
  ]
  return {
    stubs: parts.flatMap((part) => part.stubs),
    leftOut: parts.flatMap((part) => part.leftOut),
    collections: parts.flatMap((part) => part.collections ?? []),
  }
}

/** `__files` lies beside `mappings`. */
function readBodyFile(mapping: string, name: string): string | undefined {
  for (let folder = dirname(resolve(mapping)); ; folder = dirname(folder)) {
    const file = join(folder, '__files', name)
    if (isThere(file)) return readText(file, {})
    if (dirname(folder) === folder) return undefined
  }
}

async function readModule(file: string): Promise<ForeignStubs> {
  let module: Members
  try {
    module = (await import(pathToFileURL(resolve(file)).href)) as Members
  } catch (error) {
    throw new StartupError([
      `--stubs: ${file} cannot be imported: ${error instanceof Error ? error.message : String(error)}`,
    ])
  }
  const handlers = handlersIn(module)
  if (handlers.length === 0) throw new StartupError([`--stubs: ${file} exports no handlers of MSW.`])
  return readMsw(handlers)
}

/** Things that are named one by one. */
const MAX_NAMED = 20

function* describe(
  { stubs, unlike }: PlacedStubs,
  leftOut: readonly string[],
  { serve, summary }: { readonly serve: string; readonly summary: string | undefined },
): Generator<string> {
  yield `${summary ?? counted(stubs.length, 'stub')}. ${serve}`
  for (const [what, list] of [
    ['not as the contract says, so it has validate: false', unlike],
    ['left out', leftOut],
  ] as const) {
    for (const why of list.slice(0, MAX_NAMED)) yield `${what}: ${why}`
    if (list.length > MAX_NAMED) yield `${what}: ${list.length - MAX_NAMED} more`
  }
}
