import type { Contract, Operation } from '../../../contract/contract.ts'
import { type Documented, readDocumented } from '../../../contract/schemas/documented.ts'
import { rememberingAll } from '../../../base/cache.ts'
import { findSchemaErrors } from '../../../contract/load/check-schema.ts'
import { walk } from '../../../contract/load/document-structure.ts'
import { findOperations } from '../../../contract/operation-names.ts'
import type { Fault } from '../../../engine/faults/fault.ts'
import type { StateRules } from '../../../engine/state.ts'
import { shown, StartupError } from '../../../base/errors/problem.ts'
import { encodePointer, isObject, type Members, stringifyJson } from '../../../base/formats/json.ts'
import { createLookup, type Lookup, valueAt } from '../../../contract/pointer.ts'
import { placeIn, type SourceFile } from '../../../base/formats/source-file.ts'
import { hintOfOperation } from '../../collections/infer/hints.ts'
import { readMembers } from '../../fixture-reader.ts'
import { pairExamples } from './paired-examples.ts'
import { readStub, STUB_MEMBERS } from './read-stub.ts'
import type { Stub } from './stub.ts'
import type { DeclaredStub } from './stub-state.ts'

/** The stubs of each operation, by operationId. The first one that matches a request is for it. */
export type Stubs = ReadonlyMap<string, readonly Stub[]>

export interface StubSources {
  readonly contract: Contract
  /** How the events of their changes are read; needed with the first request. */
  readonly rules: () => StateRules
  /** The collections of the contract. */
  readonly collections: readonly string[]
  /** Whether an operation remembers nothing: its requests that are as examples say get the responses of the same names. */
  readonly isGenerated: (operationId: string) => boolean
  /** Reads a fault as the control API takes it. @throws Error for what is none */
  readonly readFault: (given: unknown, id: string) => Fault
}

/** A stub as it is written. */
interface GivenStub {
  readonly value: unknown
  /** In its file. */
  readonly pointer: string
  /** Where it is in `x-standin`. */
  readonly operation?: Operation
  /** Whether it is made of examples: what is wrong with it is no reason to refuse a start. */
  readonly isPair?: true
  placeOf(pointer: string): string
}

const MAX_STUBS = 10_000
const MAX_COMPLAINTS = 20

/** The pointer, in the extended contract, of the schemas of stubs. */
const SCHEMAS = 'x-standin-stub-schemas'

/**
 * Reads the stubs of files, then those in `x-standin` of operations, and pairs of examples.
 *
 * @param note takes what is left out, as a sentence
 * @throws StartupError with everything that is wrong
 */
export function loadStubs(
  files: readonly SourceFile[],
  sources: StubSources,
  note: (text: string) => void = () => undefined,
): Stubs {
  const { contract, isGenerated } = sources
  const lookup = createLookup(contract.document)
  const paired = contract.operations.filter(({ operationId }) => isGenerated(operationId))
  const written = [...files.flatMap(stubsIn), ...contract.operations.flatMap((one) => stubsOf(one, contract))]
  if (written.length > MAX_STUBS)
    throw new StartupError([`stubs: expected at most ${MAX_STUBS}, got ${written.length}. Remove some.`])
  const pairs = paired.flatMap((one) => pairsOf(one, lookup, contract))
  if (pairs.length > MAX_STUBS)
    note(
      `the examples of requests and responses make ${pairs.length} pairs, and the first ${MAX_STUBS} are used. The others are examples like any.`,
    )
  const given = [...written, ...pairs.slice(0, MAX_STUBS)]
  if (given.length === 0) return NONE
  const documentedOf = rememberingAll((operation: Operation) => readDocumented(contract.document, operation))
  const complaints: string[] = []
  const stubs = new Map<string, Stub[]>()
  const names = new Set<string>()
  for (const one of given) {
    const before = complaints.length
    const complain = (at: string, text: string) => void complaints.push(`${one.placeOf(at)}: ${at || '/'}: ${text}`)
    const nextOf = (operationId: string) => `${operationId} ${(stubs.get(operationId)?.length ?? 0) + 1}`
    for (const { operationId, stub } of readGiven(one, { ...sources, complain, documentedOf, nextOf })) {
      const { name } = stub
      if (names.has(name))
        complain(`${one.pointer}/name`, `there is a stub ${shown(name)} already. Give it another name.`)
      names.add(name)
      if (one.isPair && complaints.length > before) {
        note(`the pair of examples ${shown(name)} is not used: ${complaints[before] ?? ''}`)
        complaints.length = before
      } else listIn(stubs, operationId).push(stub)
    }
  }
  // What is wrong with a stub for several operations is wrong for each of them.
  if (complaints.length > 0) throw new StartupError([...new Set(complaints)].slice(0, MAX_COMPLAINTS))
  return stubs
}

/** A stub with the operation whose requests it is for. */
export interface OperationStub {
  readonly operationId: string
  readonly stub: Stub
}

/** Reads a stub that is declared while the server runs: one for each operation that it names. @param name of its own */
export function readDeclared(
  { name, stub: value }: DeclaredStub,
  sources: StubSources & Pick<GivenParts, 'complain'>,
): readonly OperationStub[] {
  const given = { value: { ...value, name }, pointer: '', placeOf: () => WHILE_RUNNING }
  const documentedOf = (operation: Operation) => readDocumented(sources.contract.document, operation)
  return readGiven(given, { ...sources, documentedOf, nextOf: () => name })
}

const WHILE_RUNNING = 'declared while it runs'

interface GivenParts extends StubSources {
  complain(pointer: string, text: string): void
  documentedOf(operation: Operation): Documented
  /** The name of a stub that is given none. */
  nextOf(operationId: string): string
}

function readGiven(one: GivenStub, parts: GivenParts): readonly OperationStub[] {
  const { contract, complain } = parts
  const { pointer, value } = one
  const members = readMembers(value, pointer, STUB_MEMBERS, 'A stub', { complain })
  const operations = operationsOf(one, members, { contract, complain })
  return operations.map((operation) => {
    const { operationId } = operation
    const called = typeof members.name === 'string' && members.name !== '' ? members.name : undefined
    const name = called === undefined || operations.length === 1 ? called : `${called}, ${operationId}`
    const pathNames = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, found = '']) => found)
    const readFault = (fault: unknown, id: string, at: string) => {
      try {
        return parts.readFault(fault, id)
      } catch (error) {
        complain(at, error instanceof Error ? error.message : String(error))
        return undefined
      }
    }
    const named = {
      name: name ?? parts.nextOf(operationId),
      pointer,
      place: one.placeOf(pointer),
      isPair: one.isPair === true,
    }
    const addSchema = schemaAdder(contract, complain)
    const documented = parts.documentedOf(operation)
    const own = { operation, documented, pathNames, addSchema, readFault }
    return { operationId, stub: readStub(members, named, { ...parts, ...own }) }
  })
}

function listIn(stubs: Map<string, Stub[]>, operationId: string): Stub[] {
  const list = stubs.get(operationId) ?? []
  stubs.set(operationId, list)
  return list
}

const NONE: Stubs = new Map()

/** A file is a list of stubs, or has one as `stubs`; a stub in a configuration file is an element of the setting. */
function stubsIn(file: SourceFile): GivenStub[] {
  const { value } = file
  const [list, pointer] = isObject(value) && Array.isArray(value.stubs) ? [value.stubs, '/stubs'] : [value, '']
  const placeOf = (at: string) => placeIn(file, at)
  if (value === null || value === undefined)
    throw new StartupError([`${file.file}: it is empty. Expected a list of stubs.`])
  if (!Array.isArray(list)) return [{ value, pointer: '', placeOf }]
  return list.map((one: unknown, index) => ({ value: one, pointer: `${pointer}/${index}`, placeOf }))
}

function stubsOf(operation: Operation, { placeOf }: Contract): GivenStub[] {
  const { stubs } = hintOfOperation(operation)
  const pointer = `${operation.pointer}/x-standin/stubs`
  if (stubs === undefined) return []
  if (!Array.isArray(stubs))
    throw new StartupError([`${placeOf(pointer)}: ${pointer}: expected a list of stubs, got ${shown(stubs)}.`])
  return stubs.map((value: unknown, index) => ({ value, pointer: `${pointer}/${index}`, operation, placeOf }))
}

function pairsOf(operation: Operation, lookup: Lookup, { placeOf }: Contract): GivenStub[] {
  const pairs = pairExamples(lookup, operation)
  return pairs.map((value) => ({ value, pointer: operation.pointer, operation, isPair: true, placeOf }))
}

interface NamedBy {
  readonly contract: Contract
  complain(pointer: string, text: string): void
}

function operationsOf(
  { operation, pointer }: GivenStub,
  { operation: named }: Members,
  { contract, complain }: NamedBy,
): readonly Operation[] {
  if (operation) {
    if (named !== undefined) complain(`${pointer}/operation`, 'it is the operation that it stands in. Remove it.')
    return [operation]
  }
  if (typeof named !== 'string') {
    complain(
      `${pointer}/operation`,
      `expected an operation, such as createOrder or \`POST /orders\`; got ${shown(named)}.`,
    )
    return []
  }
  const { found, unknown } = findOperations(contract, [named])
  for (const why of unknown) complain(`${pointer}/operation`, why)
  return [...found]
}

function schemaAdder({ extendSchemas, document }: Contract, complain: NamedBy['complain']) {
  return (schema: unknown, pointer: string): ((value: unknown) => boolean) => {
    for (const [, reference = ''] of stringifyJson(schema).matchAll(/"\$ref":"#(\/[^"]*)"/g))
      if (valueAt(document, reference) === undefined)
        complain(pointer, `the contract has nothing at #${reference}, which the schema refers to.`)
    const complainOfSchema = (kind: string, inner: unknown, at: string) => {
      if (kind !== 'schema') return
      for (const { keyword, message } of findSchemaErrors(inner))
        complain(`${pointer}${at}${keyword === '' ? '' : `/${encodePointer(keyword)}`}`, message)
    }
    walk(schema, complainOfSchema, 'schema')
    const check = extendSchemas(SCHEMAS, [schema]).compile(`/${SCHEMAS}/0`)
    return (value) => check.accepts(value)
  }
}
