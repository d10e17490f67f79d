import { rememberingAll } from '../../base/cache.ts'
import { bundle } from './bundle.ts'
import { checkDocument } from './check-document.ts'
import { findLocked } from './contract-lock.ts'
import { createDocumentErrors } from './document-errors.ts'
import type { ReferenceOptions } from './references.ts'
import type { Contract, Operation } from '../contract.ts'
import { slowPatterns } from '../schemas/patterns.ts'
import { READY_MADE } from '../schemas/ready-made.ts'
import { readOperations } from '../operations.ts'
import { createSchemas, type Schemas } from '../schemas/schemas.ts'
import { headerCredential } from '../parameters/credential-location.ts'
import { readBasePath, readSecurityRules } from '../parameters/security.ts'
import { keyParts } from '../template.ts'
import { fromSwagger, leaveOut, upgrade, withIds } from './rewrite-document.ts'
import { findUnknownMembers } from './unknown-members.ts'
import { applyOverlays, type Overlaid } from '../overlays/apply-overlays.ts'
import { counted } from '../../base/errors/wording.ts'
import { placeIn, readSourceFile, type SourceFile } from '../../base/formats/source-file.ts'
import { asObject, isObject, type Members } from '../../base/formats/json.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'

export interface LoadOptions extends Partial<ReferenceOptions> {
  /** Whether the document is one of this package, whose tests check it. */
  readonly isTrusted?: boolean
  /** OpenAPI Overlays to apply first, in order. */
  readonly overlays?: readonly SourceFile[]
  /** Changes the document once it is complete. */
  readonly change?: ContractChange | undefined
}

/** What settings change of a document, such as what makes its values. */
export interface ContractChange {
  /** Equal keys change a document equally. */
  readonly key: string
  /** Makes another document of it, with notes on what had no effect. */
  apply(document: Members): { readonly document: Members; readonly notes: readonly string[] }
}

/**
 * Loads an OpenAPI document, 3.0 to 3.2, or Swagger 2.0, with the other files that it refers to. Parts that are missing or invalid are
 * left out as long as operations remain. Overlays change the document as it is written.
 *
 * @throws StartupError with file, line, pointer and remedy of everything that is wrong, when nothing can be served
 */
export function loadContract(document: SourceFile, options: LoadOptions = {}): Contract {
  const { isTrusted = false, overlays = [], read = readSourceFile, allowed = [], locked = findLocked, change } = options
  if (!isTrusted)
    return refusingDepth(document.file, () =>
      loadUntrusted(applyOverlays(document, overlays), { read, allowed, locked }, change),
    )
  const { file, value, lineOf } = document
  const placeOf = (pointer: string) => `${file}:${lineOf(pointer)}`
  const trusted = asObject(value)
  return assemble({
    file,
    document: trusted,
    schemas: createSchemas(trusted, placeOf, READY_MADE[file] ?? {}),
    placeOf,
    basePathOf: () => '',
    overlays: [],
    leftOut: [],
    notes: [],
  })
}

/** What reads schemas recurses, with more calls for each level than JSON needs. */
function refusingDepth(file: string, load: () => Contract): Contract {
  try {
    return load()
  } catch (error) {
    if (!(error instanceof RangeError) || !error.message.includes('call stack')) throw error
    throw new StartupError([`${file}: it nests too deeply. Nest it less.`])
  }
}

/** A document of the user, which may be invalid. */
function loadUntrusted(
  { document, applied, notes }: Overlaid,
  options: ReferenceOptions,
  change: ContractChange = { key: '', apply: (whole) => ({ document: whole, notes: [] }) },
): Contract {
  checkVersion(document)
  const errors = createDocumentErrors()
  const written = fromSwagger(document)
  const { value, placeOf } = bundle(written, errors, options)
  const upgraded = upgrade(value)
  const wrong = checkDocument(upgraded, placeOf, errors)
  if (!errors.isEmpty()) leaveOut(upgraded, wrong)
  findUnknownMembers({ value, isSwagger: written !== document }, placeOf, errors)
  const { document: whole, notes: unused } = change.apply(withIds(upgraded))
  const contract = assemble({
    file: document.file,
    document: whole,
    schemas: createSchemas(whole, placeOf),
    placeOf,
    basePathOf: readBasePath,
    overlays: applied,
    leftOut: [...notes, ...unused, ...errors.notes()],
    notes: slowPatterns(whole),
  })
  if (contract.operations.length === 0) errors.throwIfAny()
  return contract
}

interface ContractParts extends Pick<Contract, 'file' | 'document' | 'overlays' | 'leftOut' | 'notes'> {
  basePathOf: typeof readBasePath
  readonly schemas: Schemas
  placeOf(pointer: string): string
}

function assemble({ file, document, schemas, placeOf, basePathOf, overlays, leftOut, notes }: ContractParts): Contract {
  const keys = readSecurityRules(document)
  const operations = readOperations({ document, schemas, keys, placeOf, basePathOf })
  const checkOf = rememberingAll((schema: string) => schemas.compile(`/components/schemas/${schema}`))
  return {
    file,
    document,
    operations,
    placeOf,
    isOpen: operations.some(({ securityRequirements }) => securityRequirements.length === 0),
    credentialLocations: withKeyHeaders(keys.locations, operations),
    overlays,
    leftOut,
    notes: [...notes, ...keys.notes, ...operations.flatMap(undeclared), ...sharing(operations)],
    get validators() {
      return schemas.compiled
    },
    inTurns: schemas.inTurns,
    spendTurn: schemas.spendTurn,
    extendSchemas: schemas.extend,
    check: (schema, value) => checkOf(schema)(value),
  }
}

/** With the headers of keys that operations list as parameters, where no security scheme has them. */
function withKeyHeaders(
  [usual, ...others]: Contract['credentialLocations'],
  operations: Contract['operations'],
): Contract['credentialLocations'] {
  const asked = operations.flatMap(({ securityRequirements }) => securityRequirements.flat())
  const names = new Set(asked.flatMap((one) => (one === usual || others.includes(one) ? [] : [one.name])))
  const [first, ...more] = [...names].map((name) => headerCredential(name))
  return first ? [first, ...more, usual, ...others] : [usual, ...others]
}

/** Notes on path parameters that only the template names. */
function undeclared({ method, path, parameters }: Operation): string[] {
  return parameters
    .filter(({ isImplied }) => isImplied)
    .map(({ name }) => `${method} ${path}: {${name}} is not among its parameters, and is taken for a text.`)
}

/** Notes on operations that share a path and differ only in a fragment. */
function sharing(operations: readonly Operation[]): string[] {
  const fragments = operations.filter(({ path }) => keyParts(path).fragment !== undefined)
  const shared = Map.groupBy(
    fragments,
    ({ method, path, basePath }) => `${method} ${basePath}${keyParts(path).template}`,
  )
  return [...shared].map(
    ([place, { length }]) =>
      `${place}: no request carries the #fragment that ${counted(length, 'operation')} of this path ${length === 1 ? 'has' : 'have'}. A request belongs to the operation of which it has all required parameters, the one with most of them first.`,
  )
}

const REMEDY = 'A contract is an OpenAPI document, 3.0 to 3.2, or Swagger 2.0.'

function checkVersion(document: SourceFile): void {
  const { value } = document
  const refuse = (pointer: string, message: string): never => {
    throw new StartupError([`${placeIn(document, pointer)}: ${pointer || '/'}: ${message}`])
  }
  if (!isObject(value)) return refuse('', `This is not an OpenAPI document, but ${kindOf(value)}. ${REMEDY}`)
  const { openapi: version, swagger } = value
  if (swagger === '2.0') return
  if (swagger !== undefined)
    return refuse(
      '/swagger',
      `expected the text '2.0', got ${shown(swagger)}. Bring older documents up to OpenAPI 3.1.`,
    )
  if (version === undefined) return refuse('', `This is not an OpenAPI document: it has no \`openapi\`. ${REMEDY}`)
  if (typeof version !== 'string')
    return refuse('/openapi', `expected a text such as '3.1.0', got ${shown(version)}. Put it in quotes.`)
  if (!/^3\.[012](?:\.|$)/.test(version))
    refuse('/openapi', `OpenAPI ${version} is not supported. Bring the document to 3.2 or 3.1.`)
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
