import { readFileSync } from 'node:fs'
import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createStandin } from '../../src/index.ts'

type Json = string | number | boolean | null | readonly Json[] | Node
interface Node {
  readonly [key: string]: Json | undefined
}

const contract = read('openapi.yaml')
const operations = {
  searchFiles: ['post', '/api/files/v1/filesets/{fileSetId}/files/search'],
  createReportSchedule: ['post', '/api/content/v1/reportschedules'],
  updateReportSchedule: ['put', '/api/content/v1/reportschedules/{scheduleId}'],
} as const

// What OpenAPI adds to JSON Schema is declared, so strict mode still refuses a keyword that is misspelt.
const ajv = new Ajv2020({ strict: true, allErrors: true })
ajv.addVocabulary(['example', 'xml', 'discriminator', 'externalDocs'])
addFormats.default(ajv)

test.each(['openapi.yaml', 'control.openapi.yaml'])('every reference of %s leads to something', (file) => {
  const document = read(file)
  const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#([^"]*)"/g)].map(([, pointer = '']) => pointer)
  expect(targets.length).toBeGreaterThan(20)
  expect(targets.filter((pointer) => valueAt(document, pointer) === undefined)).toEqual([])
})

test('the packaged contract is read like any other, and nothing of it is left out', () => {
  const { notes } = createStandin({ contract: 'spec/openapi.yaml' })
  expect(notes).toEqual([])
})

describe('the operations', () => {
  test('the contract is OpenAPI 3.1.0 and holds the three documented operations and no other', () => {
    expect(contract.openapi).toBe('3.1.0')
    const found = Object.entries(at('/paths')).flatMap(([path, item]) =>
      Object.entries(node(item)).map(([method, operation]) => [node(operation).operationId, [method, path]]),
    )
    expect(Object.fromEntries(found)).toEqual(operations)
  })

  test('every operation asks for the key in the header X-SERVICE-Developer-Token', () => {
    expect(at('/components/securitySchemes/apiKey')).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-SERVICE-Developer-Token',
    })
    expect(contract.security).toEqual([{ apiKey: [] }])
    for (const id of names(operations)) expect(operation(id).security).toBeUndefined()
  })

  test('the search takes the documented parameters', () => {
    const parameters = list(operation('searchFiles').parameters).map((parameter) => resolved(parameter))
    expect(parameters.map(({ name, in: place, required, schema }) => [name, place, required, schema])).toEqual([
      ['fileSetId', 'path', true, { type: 'string' }],
      ['directoryPath', 'query', false, { type: 'string' }],
      ['immediateChildren', 'query', false, { type: 'boolean', default: false }],
      ['limit', 'query', false, { type: 'integer', format: 'int32', default: 100 }],
      ['next', 'query', false, { type: 'string' }],
    ])
  })

  test.each(names(operations))(
    '%s refuses in the shape of a problem, or in the shape that the configuration chose',
    (id) => {
      const refusals = Object.entries(node(operation(id).responses)).filter(([status]) => !status.startsWith('2'))
      expect(refusals.map(([status]) => status)).toEqual(
        expect.arrayContaining(['400', '401', '403', '413', '415', '429']),
      )
      for (const [, response] of refusals) {
        expect(resolved(response).content).toMatchObject({
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
          'application/json': { schema: { $ref: '#/components/schemas/ConfiguredError' } },
        })
      }
    },
  )
})

describe('the schemas state what is documented', () => {
  test.each([
    ['FieldSort', ['field', 'order']],
    ['Filter', ['field', 'value', 'not', 'operator']],
    ['DateFilter', ['field', 'start', 'end', 'not']],
    ['SearchRequest', ['fieldSort', 'filters', 'dateFilters']],
    ['ReportScheduleInfo', ['title', 'pageId', 'viewId', 'schedule', 'attachmentInclude']],
    ['Recipient', ['type', 'value']],
    ['PageContext', ['next']],
  ])('%s has the documented fields', (name, fields) => {
    expect(Object.keys(properties(name))).toEqual(fields)
  })

  test('a schedule in a response has the fields of a schedule in a request and the next run', () => {
    const settings = 'frequency daysToRun hourOfDay minOfHour timezone enabled additionalRecipients'.split(' ')
    expect(Object.keys(properties('ScheduleSettings'))).toEqual(settings)
    expect(Object.keys(properties('Schedule'))).toEqual([...settings, 'nextRunDate'])
  })

  test('a file record has every documented field and requires each', () => {
    const always = 'id path name fileType contentType size hash hashAlgorithm downloadUrl created createdBy'.split(' ')
    const fields = [...always, 'connectorKey', 'indexStatus', 'indexReason']
    expect(Object.keys(properties('FileRecord'))).toEqual(fields)
    expect(at('/components/schemas/FileRecord').required).toEqual(fields)
  })

  test('a report schedule response has every documented field and requires only the id', () => {
    const fields =
      'id reportViewId pageId title viewName type ownerId embedViewId owner cardCount recipientCount cardId schedule'
    expect(Object.keys(properties('ReportScheduleResponse'))).toEqual(fields.split(' '))
    expect(at('/components/schemas/ReportScheduleResponse').required).toEqual(['id'])
  })

  test('a request schema leaves to the behaviours what is not documented: values, limits, required and unknown fields', () => {
    const open = new Set(['type', 'format', 'title', 'description', 'examples', 'default', 'properties', 'items'])
    for (const [pointer, schema] of requestSchemas()) {
      expect(
        Object.keys(schema).filter((keyword) => !open.has(keyword)),
        pointer,
      ).toEqual([])
      expect([undefined, 'int32', 'int64'], pointer).toContain(schema.format)
    }
  })

  test.each([
    '/components/schemas/FieldSort/properties/field',
    '/components/schemas/FieldSort/properties/order',
    '/components/schemas/Filter/properties/field',
    '/components/schemas/Filter/properties/operator',
    '/components/schemas/DateFilter/properties/field',
    '/components/schemas/Frequency',
    '/components/schemas/Recipient/properties/type',
    '/components/schemas/FileRecord/properties/fileType',
    '/components/schemas/FileRecord/properties/hashAlgorithm',
  ])('the open enumeration %s takes any string', (pointer) => {
    expect(at(pointer).enum).toBeUndefined()
    expect(validator(pointer)('A_VALUE_THAT_NOBODY_DOCUMENTED')).toBe(true)
    expect(validator(pointer)(1)).toBe(false)
  })

  test.each([
    ['SearchRequest', { filters: [{ field: 'name', value: [2026] }] }, '/filters/0/value/0'],
    ['SearchRequest', { fieldSort: 'created' }, '/fieldSort'],
    ['SearchRequest', { dateFilters: [{ field: 'created', start: 1772323200000 }] }, '/dateFilters/0/start'],
    ['ReportScheduleInfo', { pageId: '12' }, '/pageId'],
    ['ReportScheduleInfo', { schedule: { hourOfDay: 8.5 } }, '/schedule/hourOfDay'],
    ['ReportScheduleInfo', { schedule: { daysToRun: 15 } }, '/schedule/daysToRun'],
    ['Created', '2026-03-03T16:42:08Z', ''],
  ])('%s refuses %j, whose type is not the documented one', (name, value, pointer) => {
    const validate = validator(`/components/schemas/${name}`)
    expect(validate(value)).toBe(false)
    expect(validate.errors?.map((error) => error.instancePath)).toContain(pointer)
  })

  test.each([
    ['SearchRequest', { dateFilters: [{ field: 'created', start: 'any form of date', end: null }], more: 1 }],
    ['ReportScheduleInfo', { pageId: -1, schedule: { hourOfDay: 24, frequency: 'DAILY', additionalRecipients: [{}] } }],
    ['PageContext', { next: null }],
    ['PageContext', { next: '' }],
    ['Schedule/properties/nextRunDate', null],
    ['FileRecord/properties/connectorKey', { any: ['value'] }],
    ['DirectoryEntry/properties/downloadUrl', null],
  ])('%s accepts %j, which a behaviour may allow or refuse', (name, value) => {
    expect(validator(`/components/schemas/${name}`)(value)).toBe(true)
  })

  test('every behaviour that a description names exists', () => {
    const rows = list(read('behaviours.yaml').sections).flatMap((section) => list(node(section).behaviours))
    const ids = new Set(rows.map((row) => node(row).id))
    const named = [...readText('openapi.yaml').matchAll(/\*Behaviour: ([^*]+)\*|behaviours\.yaml#([\w.-]+)/g)].flatMap(
      ([, inText, inExample]) => inExample ?? [...(inText ?? '').matchAll(/`([^`]+)`/g)].map(([, id]) => id),
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((id) => !ids.has(id))).toEqual([])
  })
})

describe('the examples', () => {
  const found = [...examples(contract, '')]

  test.each(found.map((example) => [example.at, example] as const))('%s is valid', (_at, { schema, value }) => {
    const validate = validator(schema)
    expect(validate(value), ajv.errorsText(validate.errors)).toBe(true)
  })

  test('every parameter, request and response shows at least one', () => {
    const shown = new Set(found.map(({ schema }) => schema))
    const places = [...nodes(contract, '')].filter(([, value]) => value.schema !== undefined)
    const bare = places.filter(([pointer, { schema }]) => {
      const { $ref } = node(schema)
      return !shown.has(`${pointer}/schema`) && !(typeof $ref === 'string' && shown.has($ref.slice(1)))
    })
    expect(bare.map(([pointer]) => pointer)).toEqual([])
  })

  test.each(['createReportSchedule', 'updateReportSchedule'] as const)(
    '%s answers each request example by name',
    (id) => {
      const asked = Object.keys(node(body(operation(id).requestBody).examples))
      for (const [status, response] of Object.entries(node(operation(id).responses))) {
        if (!status.startsWith('2')) continue
        expect(Object.keys(node(body(response).examples)), status).toEqual(asked)
      }
    },
  )

  test.each(nextRuns())('the next run in %s is the first after the clock', (_at, { clock, schedule, timezone }) => {
    const expected = schedule.enabled === true ? firstRunAfter(clock, schedule, timezone) : undefined
    expect(schedule.nextRunDate).toBe(expected)
  })
})

/** Every example of the document with the pointer of its schema: of parameters, headers, bodies, and of schemas themselves. */
function* examples(from: Node, pointer: string): Generator<{ at: string; schema: string; value: Json }> {
  for (const [place, { schema, examples: shown }] of nodes(from, pointer)) {
    if (Array.isArray(shown)) {
      for (const [index, value] of list(shown).entries())
        yield { at: `${place}/examples/${index}`, schema: place, value }
    } else if (shown !== undefined && schema !== undefined) {
      for (const [name, example] of Object.entries(node(shown))) {
        yield { at: `${place}/examples/${name}`, schema: `${place}/schema`, value: resolved(example).value ?? null }
      }
    }
  }
}

/** Every object of the document with its JSON pointer, except what stands inside an example. */
function* nodes(from: Json, pointer: string): Generator<[string, Node]> {
  if (typeof from !== 'object' || from === null) return
  if (!Array.isArray(from)) yield [pointer, node(from)]
  for (const [key, value] of Object.entries(from)) {
    if (key !== 'examples') yield* nodes(value as Json, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}

/** Every schema that a request body is made of. */
function* requestSchemas(): Generator<[string, Node]> {
  const waiting = ['/components/schemas/SearchRequest', '/components/schemas/ReportScheduleInfo']
  for (const pointer of waiting) {
    const { items, properties: fields = {} } = at(pointer)
    yield [pointer, at(pointer)]
    const below = Object.entries(node(fields)).map(([name, field]): [string, typeof field] => [
      `properties/${name}`,
      field,
    ])
    if (items !== undefined) below.push(['items', items])
    for (const [key, schema] of below) {
      const { $ref } = node(schema)
      waiting.push(typeof $ref === 'string' ? $ref.slice(1) : `${pointer}/${key}`)
    }
  }
}

/** The response examples that hold a schedule, each with the time zone of its request and the clock that its description names. */
function nextRuns() {
  return (['createReportSchedule', 'updateReportSchedule'] as const).flatMap((id) => {
    const requests = node(body(operation(id).requestBody).examples)
    const answers = node(body(node(operation(id).responses)['200']).examples)
    return Object.entries(answers).map(([name, answer]) => {
      const { description, value } = resolved(answer)
      const schedule = node(node(value).schedule)
      const asked = node(node(node(requests[name]).value).schedule ?? {})
      const clock = /The clock stands at (\S+Z)/.exec(text(description))?.[1] ?? 'no clock'
      const timezone = text(schedule.timezone ?? asked.timezone)
      return [`${id}, ${name}`, { clock, schedule, timezone }] as const
    })
  })
}

/** Tries day after day in the time zone: slow, and with nothing in common with the code that serves. */
function firstRunAfter(clock: string, schedule: Node, timezone: string): number | undefined {
  const now = Temporal.Instant.from(clock)
  const today = now.toZonedDateTimeISO(timezone).toPlainDate()
  const time = Temporal.PlainTime.from({ hour: Number(schedule.hourOfDay), minute: Number(schedule.minOfHour) })
  const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']
  for (let ahead = 0; ahead < 62; ahead += 1) {
    const date = today.add({ days: ahead })
    const day = schedule.frequency === 'WEEKLY' ? weekdays[date.dayOfWeek - 1] : String(date.day)
    const run = date.toZonedDateTime({ timeZone: timezone, plainTime: time }).toInstant()
    if (day === schedule.daysToRun && Temporal.Instant.compare(run, now) > 0) return run.epochMilliseconds
  }
  return undefined
}

function validator(pointer: string): ValidateFunction {
  return ajv.compile(inlined(at(pointer)))
}

/** The schema with what it refers to in place of each reference; no schema of the contract refers to itself. */
function inlined(schema: Node): Node {
  const inner = (value: Json | undefined): Json | undefined => {
    if (typeof value !== 'object' || value === null) return value
    return Array.isArray(value) ? list(value).map((item) => inner(item) ?? null) : inlined(node(value))
  }
  return Object.fromEntries(Object.entries(resolved(schema)).map(([key, value]) => [key, inner(value)]))
}

function valueAt(document: Node, pointer: string): Json | undefined {
  const keys = pointer.split('/').slice(1)
  return keys.reduce<Json | undefined>(
    (here, key) => (here as Node | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
}

function at(pointer: string): Node {
  const keys = pointer.split('/').slice(1)
  return keys.reduce((here, key) => node(here[key.replaceAll('~1', '/').replaceAll('~0', '~')]), contract)
}

function resolved(value: Json | undefined): Node {
  const { $ref } = node(value)
  return typeof $ref === 'string' ? at($ref.slice(1)) : node(value)
}

function operation(id: keyof typeof operations): Node {
  const [method, path] = operations[id]
  return at(`/paths/${path.replaceAll('/', '~1')}/${method}`)
}

function body(holder: Json | undefined): Node {
  return node(node(resolved(holder).content)['application/json'])
}

function properties(name: string): Node {
  return node(at(`/components/schemas/${name}`).properties)
}

function names<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(record) as K[]
}

function node(value: Json | undefined): Node {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`expected an object, found ${JSON.stringify(value)}`)
  }
  return value as Node
}

function list(value: Json | undefined): readonly Json[] {
  if (!Array.isArray(value)) throw new TypeError(`expected an array, found ${JSON.stringify(value)}`)
  return value as readonly Json[]
}

function text(value: Json | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`expected a string, found ${JSON.stringify(value)}`)
  return value
}

function readText(file: string): string {
  return readFileSync(new URL(`../../spec/${file}`, import.meta.url), 'utf8')
}

function read(file: string): Node {
  return parse(readText(file)) as Node
}
