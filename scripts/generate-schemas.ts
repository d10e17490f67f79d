// Writes the JSON Schemas of the files that users write, for their editors: spec/schemas/. Settings come from the table that reads them, settings of
// behaviours from the catalogues, files and report schedules from the contracts. With --check it writes nothing and fails when one is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { createResources } from '../src/app/resources.ts'
import { type Behaviour, readCatalog } from '../src/behaviours/catalog.ts'
import { hasNumber, type Options, partsOf, type ValueKind } from '../src/behaviours/options.ts'
import type { Setting } from '../src/config/config.ts'
import { SETTING_NAMES } from '../src/config/create-config.ts'
import { SETTINGS } from '../src/config/settings.ts'
import { follow } from '../src/contract/pointer.ts'
import { asObject, isObject } from '../src/base/formats/json.ts'
import { readPackaged } from '../src/base/formats/source-file.ts'

type Schema = Readonly<Record<string, unknown>>

const ROOT = join(import.meta.dirname, '..')
const TEXT = { type: 'string' }
const TEXTS = { type: 'array', items: TEXT }
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const resources = createResources()
const catalog = readCatalog(
  readPackaged('spec/behaviours.yaml').value,
  resources.flatMap((one) => one.behaviours ?? []),
)

const VALUES: Readonly<Record<ValueKind, Schema>> = {
  boolean: { type: 'boolean' },
  text: TEXT,
  'time-zone': TEXT,
  recipients: {
    type: 'array',
    items: object({ type: { enum: ['EMAIL', 'USER', 'GROUP'] }, value: TEXT }, ['type', 'value']),
  },
}

function object(properties: Schema, required: readonly string[] = []): Schema {
  return { type: 'object', additionalProperties: false, properties, ...(required.length > 0 && { required }) }
}

function schemaOf(options: Options): Schema {
  if ('choice' in options) {
    // A word that looks like a number, or like null, may be written as one.
    const words = options.choice.filter((word) => !hasNumber(word))
    const patterns = options.choice.filter(hasNumber)
    const plain = words.flatMap((word) =>
      /^\d+$/.test(word) ? [word, Number(word)] : word === 'null' ? [word, null] : [word],
    )
    const any = [
      ...(plain.length > 0 ? [{ enum: plain }] : []),
      ...patterns.map((pattern) => ({ type: 'string', pattern: `^${patternOf(pattern)}$` })),
      ...(patterns.some((one) => one.length === 1)
        ? [{ type: 'integer', minimum: 1, maximum: 999_999_999_999_999 }]
        : []),
      ...(options.orObjectWith === undefined ? [] : [object({ [options.orObjectWith]: {} }, [options.orObjectWith])]),
    ]
    return any.length === 1 ? (any[0] ?? {}) : { anyOf: any }
  }
  if ('number' in options) return { type: 'integer', minimum: options.number.min, maximum: options.number.max }
  if ('list' in options) return { type: 'array', items: { enum: options.list.of }, minItems: 1, uniqueItems: true }
  if ('value' in options) return VALUES[options.value]
  // What is not named stays as it is, and a value that just one part allows is for that.
  const parts = Object.fromEntries(Object.entries(partsOf(options)).map(([name, part]) => [name, schemaOf(part)]))
  return { oneOf: [object(parts), ...Object.values(parts)] }
}

/** `clamp:N` takes a number in the place of N, and `P` a time: seconds or an ISO 8601 duration. */
function patternOf(word: string): string {
  return word
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\b[A-Z]\b/g, (letter) =>
      letter === 'P' ? String.raw`(?:\d+|P[\dDTHMS.]+)` : String.raw`[1-9]\d{0,14}`,
    )
}

function behaviourSchema({ question, answer, options, default: usual, alternatives = '' }: Behaviour): Schema {
  const described = { title: question, description: `${answer} ${alternatives}`.trim(), default: usual }
  return { ...described, ...(options === undefined ? { const: usual } : schemaOf(options)) }
}

const BEHAVIOURS = object(Object.fromEntries(catalog.behaviours.map((one) => [one.id, behaviourSchema(one)])))

const ANY_VALUE = {}
const BY_NAME = { type: 'object', additionalProperties: ANY_VALUE }
const ONE_OR_LIST = (schema: Schema) => ({ anyOf: [schema, { type: 'array', items: schema, minItems: 1 }] })

/** A declared response; see docs/stubs.md. */
const STUB = object(
  {
    name: TEXT,
    description: TEXT,
    operation: { type: 'string', description: 'createOrder, POST /orders or tag:orders.' },
    when: object({
      path: BY_NAME,
      query: BY_NAME,
      header: BY_NAME,
      body: { description: 'Conditions by JSON Pointer or JSONPath, or one for the whole body.' },
    }),
    respond: ONE_OR_LIST(
      object({
        status: { type: 'integer', minimum: 200, maximum: 599 },
        headers: { type: 'object', additionalProperties: TEXT },
        body: ANY_VALUE,
        contentType: TEXT,
        example: { type: 'string', description: 'The name of an example of the contract.' },
        validate: { type: 'boolean', default: true },
      }),
    ),
    change: ONE_OR_LIST(object({ create: TEXT, update: TEXT, remove: TEXT, id: ANY_VALUE, document: ANY_VALUE })),
    fault: ONE_OR_LIST({ type: 'object', required: ['kind'], properties: { kind: TEXT } }),
    times: { type: 'integer', minimum: 1 },
    repeat: { type: 'boolean', default: false },
  },
  ['operation'],
)

const STATUS = { type: 'integer', minimum: 200, maximum: 599 }

/** What was learnt from recordings; see docs/truth.md. */
const LEARNED = object({
  schemas: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: { type: 'object', description: 'Keywords of JSON Schema.' },
    },
  },
  hints: {
    type: 'object',
    additionalProperties: { type: 'object', description: 'What `x-standin` of an operation or a path would say.' },
  },
  statuses: {
    type: 'array',
    items: object({ operation: TEXT, method: TEXT, when: TEXT, from: STATUS, status: STATUS }, [
      'when',
      'from',
      'status',
    ]),
  },
  accepts: { type: 'object', additionalProperties: TEXTS },
  forms: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      additionalProperties: object({
        drop: { anyOf: [{ const: true }, { type: 'array' }] },
        add: ANY_VALUE,
        set: ANY_VALUE,
        map: { type: 'array', items: { type: 'array', minItems: 2, maxItems: 2 } },
      }),
    },
  },
  examples: {
    type: 'array',
    items: object({ method: TEXT, url: TEXT, status: STATUS, body: ANY_VALUE }, ['method', 'url', 'status']),
  },
})

/** What makes the values of a member; see docs/own-contract.md. */
const GENERATOR: Schema = {
  anyOf: [
    {
      type: 'string',
      description: 'A method of Faker, a text with places such as DE{{string.numeric(20)}}, or another entry.',
    },
    object({ pattern: { type: 'string', format: 'regex', maxLength: 500 } }, ['pattern']),
    object({ oneOf: { type: 'array', minItems: 1, maxItems: 10_000 } }, ['oneOf']),
    {
      type: 'object',
      description: 'A method of Faker with its arguments.',
      minProperties: 1,
      maxProperties: 1,
      propertyNames: { pattern: String.raw`^\w+\.\w+$` },
    },
  ],
}

/** Settings whose values are more than one text, number or switch. */
const SPECIAL: Partial<Record<Setting, Schema>> = {
  behaviours: { $ref: '#/$defs/behaviours' },
  accept: { type: 'object', additionalProperties: TEXT },
  values: { type: 'object', maxProperties: 1000, additionalProperties: GENERATOR },
  folders: { type: 'object', additionalProperties: TEXT },
  fixtures: { type: ['string', 'array'], items: { type: ['string', 'object'] } },
  overlay: { type: ['string', 'array'], items: { type: ['string', 'object'] } },
  stubs: { anyOf: [TEXT, { type: 'array', items: { anyOf: [TEXT, STUB] } }] },
  contract: { type: ['string', 'object'] },
  profile: {
    anyOf: [
      { enum: SETTINGS.profile.choices },
      { type: 'string', pattern: String.raw`[\\/]|\.(ya?ml|json)$` },
      { type: 'object' },
    ],
  },
  keys: {
    anyOf: [
      TEXT,
      {
        type: 'array',
        items: object(
          {
            key: { type: 'string', minLength: 1 },
            userId: { type: 'integer', minimum: 1 },
            rights: TEXTS,
            directories: { type: 'object', additionalProperties: TEXTS },
          },
          ['key'],
        ),
      },
    ],
  },
  fallback: {
    type: ['string', 'integer', 'array'],
    items: { anyOf: [{ const: 'down' }, { type: 'integer', minimum: 400, maximum: 599 }] },
  },
  validation: { enum: ['refuse', 'warn'] },
  storeDurability: { enum: ['server', 'always'] },
  consistency: { enum: ['strong', 'session'] },
}

function settingSchema(setting: Setting): Schema {
  const { help, byDefault, choices, isList } = SETTINGS[setting]
  const described = {
    description: help.replace(/ \(repeatable\)$/, ''),
    ...(isDefault(byDefault) && { default: byDefault }),
  }
  const type =
    SPECIAL[setting] ??
    (typeof byDefault === 'boolean'
      ? { type: 'boolean' }
      : typeof byDefault === 'number'
        ? { type: 'integer', minimum: 0 }
        : choices
          ? { enum: choices }
          : isList
            ? { type: ['string', 'array'], items: TEXT }
            : TEXT)
  return { ...described, ...type }
}

function isDefault(value: unknown): boolean {
  return ['boolean', 'number', 'string'].includes(typeof value)
}

/** A schema of a document with what it refers to in its place. */
function inlined(document: unknown, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => inlined(document, one))
  if (!isObject(schema)) return schema
  if (typeof schema.$ref === 'string') return inlined(document, follow(document, schema))
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, inlined(document, inner)]))
}

function component(file: string, name: string): Schema {
  const { value } = readPackaged(file)
  const { schemas } = asObject(asObject(value).components)
  return inlined(value, asObject(schemas)[name]) as Schema
}

/** A schema of the control API, with those that it refers to. */
function withReferences(name: string): Schema {
  const { value } = readPackaged('spec/control.openapi.yaml')
  const { schemas } = asObject(asObject(value).components)
  const found = new Map<string, unknown>()
  const add = (one: string): void => {
    if (found.has(one)) return
    const text = JSON.stringify(asObject(schemas)[one])
    found.set(one, JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/')))
    for (const [, inner = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) add(inner)
  }
  add(name)
  return { $ref: `#/$defs/${name}`, $defs: Object.fromEntries(found) }
}

/** A contract may have members of its own, and a fixture leaves out what is filled in. */
function open({ properties }: Schema, more: Schema = {}): Schema {
  return { type: 'object', properties: { ...more, ...asObject(properties) } }
}

const DOCUMENTS = { type: 'object', additionalProperties: true }
const LISTS = Object.fromEntries(
  resources
    .flatMap(({ fixtures }) => fixtures?.members ?? [])
    .filter((name) => !['fileSets', 'reportSchedules', 'collections'].includes(name))
    .map((name) => [name, { type: 'array' }]),
)

const SCHEMAS: Readonly<Record<string, Schema>> = {
  standin: {
    title: 'Settings of Standin: standin.yaml',
    ...object({ $schema: TEXT, ...Object.fromEntries(SETTING_NAMES.map((name) => [name, settingSchema(name)])) }),
    $defs: { behaviours: BEHAVIOURS },
  },
  profile: {
    title: 'A profile of Standin: what `standin learn` and `standin calibrate` write, for --profile',
    type: 'object',
    required: ['behaviours'],
    properties: { behaviours: BEHAVIOURS, learned: LEARNED, fixture: { type: 'object' } },
  },
  stubs: {
    title: 'Stubs of Standin, for --stubs',
    anyOf: [
      { type: 'array', items: STUB },
      object({ $schema: TEXT, stubs: { type: 'array', items: STUB } }, ['stubs']),
    ],
  },
  replay: { title: 'A replay file of Standin, for `standin replay`', ...withReferences('Replay') },
  fixtures: {
    title: 'Fixtures of Standin, for --fixtures',
    ...object({
      $schema: TEXT,
      fileSets: {
        type: 'array',
        items: object(
          {
            id: TEXT,
            generate: { type: 'integer', minimum: 0, description: 'So many files are generated.' },
            files: {
              type: 'array',
              items: { ...open(component('spec/control.openapi.yaml', 'GivenFile')), required: ['path'] },
            },
          },
          ['id'],
        ),
      },
      reportSchedules: {
        type: 'array',
        items: open(component('spec/openapi.yaml', 'ReportScheduleInfo'), {
          id: { type: 'integer' },
          ownerId: { type: 'integer' },
        }),
      },
      collections: {
        type: 'object',
        description:
          'Documents by collection: by their ids, added to those that it begins with, or as a list of all that there are.',
        additionalProperties: {
          anyOf: [
            { type: 'object', additionalProperties: DOCUMENTS },
            { type: 'array', items: DOCUMENTS },
          ],
        },
      },
      ...LISTS,
    }),
  },
}

for (const [name, schema] of Object.entries(SCHEMAS)) {
  const target = join(ROOT, 'spec/schemas', `${name}.schema.json`)
  const text = JSON.stringify({ $schema: DIALECT, ...schema })
  const written = await format(text, { ...(await resolveConfig(target)), parser: 'json' })
  if (!process.argv.includes('--check')) writeFileSync(target, written)
  else if (readFileSync(target, 'utf8') !== written) {
    console.error(`spec/schemas/${name}.schema.json is stale. Run: node scripts/generate-schemas.ts`)
    process.exitCode = 1
  }
}
