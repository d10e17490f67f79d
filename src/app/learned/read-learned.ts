import type { Contract } from '../../contract/contract.ts'
import { valueAt } from '../../contract/pointer.ts'
import { didYouMean, oneOf } from '../../base/errors/wording.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'
import type { ContractChange } from '../../contract/load/load.ts'
import { asObject, encodePointer, isObject } from '../../base/formats/json.ts'
import { findSchemaErrors } from '../../contract/load/check-schema.ts'
import { walk } from '../../contract/load/document-structure.ts'
import { amendContract, partOf } from './amend-contract.ts'
import { placeIn, type SourceFile } from '../../base/formats/source-file.ts'
import { PLACE } from '../../contract/runtime-expression.ts'
import { isPlace } from './fill.ts'
import { formNames, KINDS, type Learned, NOTHING_LEARNED, RULE_MEMBERS } from './learned.ts'

const MAX_COMPLAINTS = 20

/**
 * Reads the member `learned` of a profile.
 *
 * @returns undefined where it has none
 * @throws StartupError with everything that is wrong, each with its line
 */
export function readLearned(source: SourceFile, contract: Contract): Learned | undefined {
  const { learned } = isObject(source.value) ? source.value : {}
  if (learned === undefined) return undefined
  const complaints = createComplaints(source)
  const { complain } = complaints
  const operations = contract.operations.map(({ operationId }) => operationId)
  const knows = (name: string | undefined, pointer: string) => {
    if (name === undefined || operations.includes(name)) return
    const meant = didYouMean(name, operations)
    complaints.add(pointer, `The contract has no operation ${shown(name)}.${meant}`)
  }
  const checks = {
    // Read with the contract, by `readAmendments`.
    schemas: () => undefined,
    hints: () => undefined,
    statuses: checkStatuses,
    accepts: checkAccepts,
    forms: checkForms,
    examples: checkExamples,
  }
  if (!isObject(learned)) complain('/learned', 'what `standin learn` writes', learned)
  else {
    for (const [name, value] of Object.entries(learned)) {
      const check = name in checks ? checks[name as keyof typeof checks] : undefined
      if (check) check(value, `/learned/${name}`, complain)
      else complain(`/learned/${name}`, oneOf(Object.keys(checks)), name)
    }
  }
  complaints.throwIfAny()
  checkNames(learned as Partial<Learned>, contract, { complain, knows })
  complaints.throwIfAny()
  return { ...NOTHING_LEARNED, ...(learned as Partial<Learned>) }
}

/** What is wrong, each with its line. */
function createComplaints(source: SourceFile) {
  const found: string[] = []
  const add = (pointer: string, message: string) =>
    void found.push(`${placeIn(source, pointer)}: ${pointer}: ${message}`)
  return {
    add,
    complain: (pointer: string, expected: string, got: unknown) => {
      add(pointer, `Expected ${expected}; got ${shown(got)}.`)
    },
    throwIfAny: () => {
      if (found.length > 0) throw new StartupError(found.slice(0, MAX_COMPLAINTS))
    },
  }
}

interface NameChecks {
  readonly complain: ComplainAt
  /** Complains of an operation that the contract does not have. */
  knows(name: string | undefined, pointer: string): void
}

/** What the names in a profile are of. */
function checkNames(
  learned: Partial<Learned>,
  { document, operations }: Contract,
  { complain, knows }: NameChecks,
): void {
  for (const [at, { operation, method }] of (learned.statuses ?? []).entries()) {
    knows(operation, `/learned/statuses/${at}/operation`)
    if (method !== undefined && !METHODS.includes(method))
      complain(`/learned/statuses/${at}/method`, oneOf(METHODS), method)
  }
  for (const name of Object.keys(learned.accepts ?? {})) knows(name, `/learned/accepts/${encodePointer(name)}`)
  const isIn = (name: string, at: string) => {
    if (valueAt(document, name.slice(1)) === undefined) complain(at, 'a schema of the contract', name)
  }
  for (const name of Object.keys(learned.hints ?? {})) {
    const at = `/learned/hints/${encodePointer(name)}`
    if (!name.startsWith('/')) knows(name, at)
    else if (valueAt(document, `/paths/${encodePointer(name)}`) === undefined)
      complain(at, 'a path of the contract', name)
  }
  for (const name of Object.keys(learned.schemas ?? {})) {
    const at = `/learned/schemas/${encodePointer(name)}`
    const { operationId } = partOf(name) ?? {}
    if (name.startsWith('#')) isIn(name, at)
    else if (operationId === undefined)
      complain(at, 'a name such as #/components/schemas/Pet, createPet 201 or createPet body', name)
    else knows(operationId, at)
  }
  for (const [name, form] of Object.entries(learned.forms ?? {})) {
    const at = `/learned/forms/${encodePointer(name)}`
    if (name.startsWith('#')) isIn(name, at)
    else if (name.startsWith('items of /')) {
      const names = operations.flatMap((one) => formNames(one, 200, { outcome: 'ok', violations: [] }))
      if (!names.includes(name)) complain(at, 'a path of the contract, such as in `items of /pets`', name)
    } else if (!/^error \d{3}(?: |$)/.test(name) && !KINDS.some((one) => one === name))
      knows(name.replace(/ \d{3}$/, ''), at)
    for (const place of Object.keys(form))
      if (place !== '' && !place.startsWith('/')) complain(at, 'JSON pointers such as /name', place)
  }
  for (const [at, { url }] of (learned.examples ?? []).entries())
    if (!url.startsWith('/')) complain(`/learned/examples/${at}/url`, 'a path such as /version', url)
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']

type ComplainAt = (pointer: string, expected: string, got: unknown) => void

function checkStatuses(value: unknown, pointer: string, complain: ComplainAt): void {
  if (!Array.isArray(value)) return complain(pointer, 'a list', value)
  for (const [at, rule] of value.entries()) {
    const isRule =
      isObject(rule) &&
      typeof rule.when === 'string' &&
      isStatus(rule.from) &&
      isStatus(rule.status) &&
      [rule.operation, rule.method].every((one) => one === undefined || typeof one === 'string')
    if (!isRule)
      complain(
        `${pointer}/${at}`,
        'operation or method, when, from and status, such as { operation: createPet, when: changed, from: 200, status: 201 }',
        rule,
      )
  }
}

function checkExamples(value: unknown, pointer: string, complain: ComplainAt): void {
  if (!Array.isArray(value)) return complain(pointer, 'a list', value)
  for (const [at, one] of value.entries())
    if (!isObject(one) || typeof one.method !== 'string' || typeof one.url !== 'string' || !isStatus(one.status))
      complain(
        `${pointer}/${at}`,
        'method, url, status and body, such as { method: GET, url: /version, status: 200, body: { version: 1.2 } }',
        one,
      )
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599
}

function checkAccepts(value: unknown, pointer: string, complain: ComplainAt): void {
  if (!isObject(value)) return complain(pointer, 'what an operation takes, by its operationId', value)
  for (const [name, list] of Object.entries(value))
    if (!Array.isArray(list) || !list.every((one) => typeof one === 'string'))
      complain(`${pointer}/${encodePointer(name)}`, 'a list of texts such as `required /name`', list)
}

function checkSchemas(value: unknown, pointer: string, complain: ComplainAt): void {
  if (!isObject(value)) return complain(pointer, 'schemas by their names, such as `#/components/schemas/Pet`', value)
  for (const [name, places] of Object.entries(value)) {
    const at = `${pointer}/${encodePointer(name)}`
    if (!isObject(places))
      complain(at, 'keywords by JSON pointer, such as { /properties/status: { default: new } }', places)
    else
      for (const [place, schema] of Object.entries(places)) {
        if (!SCHEMA_PLACE.test(place)) complain(at, 'places of schemas such as /properties/name or /items', place)
        checkSchema(schema, `${at}/${encodePointer(place)}`, complain)
      }
  }
}

const SCHEMA_PLACE = /^(?:\/(?:properties\/[^/]+|items|additionalProperties|(?:allOf|anyOf|oneOf)\/\d+))*$/

function checkSchema(schema: unknown, pointer: string, complain: ComplainAt): void {
  if (!isObject(schema)) return complain(pointer, 'keywords such as { type: string }', schema)
  walk(
    schema,
    (kind, inner, at) => {
      if (kind !== 'schema') return
      for (const { keyword, expected, value } of findSchemaErrors(inner))
        complain(`${pointer}${at}${keyword === '' ? '' : `/${keyword}`}`, expected, value)
    },
    'schema',
  )
}

function checkHints(value: unknown, pointer: string, complain: ComplainAt): void {
  if (!isObject(value)) return complain(pointer, 'what `x-standin` would say, by operationId or path', value)
  for (const [name, hint] of Object.entries(value))
    if (!isObject(hint))
      complain(`${pointer}/${encodePointer(name)}`, 'an object such as { set: { status: cancelled } }', hint)
}

function checkForms(value: unknown, pointer: string, complain: ComplainAt): void {
  if (!isObject(value)) return complain(pointer, 'forms by their names, such as `createPet 201`', value)
  for (const [name, form] of Object.entries(value)) {
    const at = `${pointer}/${encodePointer(name)}`
    if (!isObject(form)) complain(at, 'rules by JSON pointer', form)
    else for (const [place, rule] of Object.entries(form)) checkRule(rule, `${at}/${encodePointer(place)}`, complain)
  }
}

function checkRule(rule: unknown, pointer: string, complain: ComplainAt): void {
  if (!isObject(rule)) return complain(pointer, oneOf(RULE_MEMBERS), rule)
  for (const [name, value] of Object.entries(rule)) {
    const at = `${pointer}/${name}`
    if (name === 'drop') {
      if (value !== true && !Array.isArray(value)) complain(at, 'true, or a list of values', value)
    } else if (name === 'map') {
      const arePairs = Array.isArray(value) && value.every((one) => Array.isArray(one) && one.length === 2)
      if (!arePairs) complain(at, 'a list of pairs of values', value)
    } else if (name === 'add' || name === 'set') checkPlaces(value, at, complain)
    else complain(at, oneOf(RULE_MEMBERS), name)
  }
}

function checkPlaces(value: unknown, pointer: string, complain: ComplainAt): void {
  if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value) as unknown[]) checkPlaces(one, pointer, complain)
  if (typeof value !== 'string') return
  const unclosed = value.replaceAll(PLACE, '').includes('{$') ? [[value, '']] : []
  for (const [place, expression = ''] of [...value.matchAll(PLACE), ...unclosed])
    if (!isPlace(expression))
      complain(
        pointer,
        'places such as {$request.path.id}, {$request.body#/name}, {$path.key}, {$item#/id}, {$now} or {$uuid}',
        place,
      )
}

/** What a profile changes of the contract; undefined for nothing. @throws StartupError with everything that is wrong in it */
export function readAmendments(source: SourceFile): ContractChange | undefined {
  const { schemas = {}, hints = {} } = asObject(asObject(source.value).learned)
  const complaints = createComplaints(source)
  checkSchemas(schemas, '/learned/schemas', complaints.complain)
  checkHints(hints, '/learned/hints', complaints.complain)
  complaints.throwIfAny()
  return amendContract({ schemas: schemas as Learned['schemas'], hints: hints as Learned['hints'] })
}
