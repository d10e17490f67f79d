import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import type { Contract, Operation } from '../../src/contract/contract.ts'
import { loadContract } from '../../src/contract/load/load.ts'
import { readSourceFile } from '../../src/base/formats/source-file.ts'
import { createStandin } from '../../src/index.ts'
import { isObject } from '../../src/base/formats/json.ts'
import { CONTRACT_TOOLS } from '../support/contracts/contract-tools.ts'
import { follow, sampleOf, samplesOf } from '../support/contracts/sample.ts'
import { cases, sample, takesAll } from '../support/cases.ts'

/** OpenAPI documents of other people, as npm packages ship them. */
const DOCUMENTS = [
  '@scalar/galaxy/dist/3.1.yaml',
  ...[
    'callbacks',
    'circular',
    'circular-request-bodies',
    'complex-nesting',
    'discriminators',
    'file-uploads',
    'form-data',
    'http-status-codes',
    'link-example',
    'parameters-common',
    'parameters-style',
    'petstore-expanded',
    'petstore',
    'polymorphism',
    'readme-extensions',
    'readme-legacy',
    'request-examples',
    'response-examples',
    'response-multiple-mediatypes',
    'response-schemas',
    'schema-additional-properties',
    'schema-circular',
    'schema-enums',
    'schema-types',
    'schema-validation',
    'security',
    'security-multiple',
    'server-path-level',
    'server-variables',
    'uspto',
  ].map((name) => `@readme/oas-examples/3.0/json/${name}.json`),
  ...['petstore', 'security', 'train-travel'].map((name) => `@readme/oas-examples/3.1/json/${name}.json`),
]

/** Of all documents. */
const REFUSED = [
  'POST /direct is not answered: no value fits the schema of its response 200: /parent leads back to itself, without end.',
  ...[100, 102, 103].map(
    (status) => `GET /status/${status} is not answered: the contract documents no final response of it.`,
  ),
  ...['PUT', 'PATCH'].map(
    (method) =>
      `${method} /anything/quirks/polymorphism is not answered: its body is required, and no value fits the schema of that: it must be string and integer at once.`,
  ),
]

/** What became of an operation: answered as its document says, refused with a reason, or neither. */
type Result = { readonly kind: 'valid' } | { readonly kind: 'refused' | 'wrong'; readonly why: string }

const results = new Map<string, Result[]>()

describe('documents of other people', () => {
  test.each(sample(DOCUMENTS, 2))('%s', { timeout: 60_000 }, async (name) => {
    const file = CONTRACT_TOOLS + name
    const contract = loadContract(readSourceFile(file))
    const { app, notes } = createStandin({ contract: file, clock: '2026-03-05T14:30:00Z' })
    expect(notes.filter((note) => note.includes('has no member'))).toEqual([])
    const isValid = createCheck(contract.document)
    const found: Result[] = []
    for (const operation of contract.operations) found.push(await ask(app, contract, operation, isValid))
    results.set(name, found)
    expect(found).toHaveLength(contract.operations.length)
  })

  test('all of their operations are answered validly, but those of which no value can be what their document asks for', () => {
    const all = [...results.values()].flat()
    const whyOf = (kind: Result['kind']) => all.flatMap((one) => (one.kind === kind && 'why' in one ? [one.why] : []))
    const valid = all.filter((one) => one.kind === 'valid').length
    const share = (100 * valid) / all.length
    console.log(
      `${results.size} documents, ${all.length} operations: ${valid} answered validly (${share.toFixed(1)} %), ${whyOf('refused').length} refused with a reason`,
    )
    expect(results.size).toBeGreaterThanOrEqual(cases(20, 15))
    expect(whyOf('wrong')).toEqual([])
    const refused = whyOf('refused')
    expect(REFUSED).toEqual(takesAll ? refused : expect.arrayContaining(refused))
  })
})

type IsValid = (operation: Operation, status: number, contentType: string, body: unknown) => string | undefined

async function ask(
  app: Parameters<typeof request>[0],
  contract: Contract,
  operation: Operation,
  isValid: IsValid,
): Promise<Result> {
  const { url, headers, body } = requestOf(contract, operation)
  const wrong = (why: string): Result => ({ kind: 'wrong', why: `${operation.method} ${url}: ${why.slice(0, 200)}` })
  const method = operation.method.toLowerCase() as 'get'
  let asked = request(app)
    [method](url)
    .set(headers)
    .redirects(0)
    .ok(() => true)
  if (body !== undefined) asked = asked.send(body.text).type(body.type)
  const answer = await asked
  const type = answer.headers['content-type'] ?? ''
  if (answer.text.includes('/problems/operation-refused'))
    return { kind: 'refused', why: (answer.body as { readonly detail: string }).detail }
  // Operations of collections remember, and nobody created the id of the request.
  if (answer.text.includes('/problems/item-not-found')) return { kind: 'valid' }
  // A PUT to the path of a collection has the id in its body, which need not say so.
  if (answer.text.includes('/id: expected the id of the')) return { kind: 'valid' }
  if (answer.text.includes('/problems/')) return wrong(`${answer.status} ${answer.text}`)
  const why = isValid(operation, answer.status, type, answer.body)
  return why === undefined ? { kind: 'valid' } : wrong(why)
}

/** A request that the document allows. */
function requestOf({ document }: Contract, { path, basePath, pointer, securityRequirements: [keys = []] }: Operation) {
  const operation = at(document, pointer)
  const item = at(document, pointer.slice(0, pointer.lastIndexOf('/')))
  const parameters = [item, operation]
    .flatMap(({ parameters: list }): unknown[] => (Array.isArray(list) ? list : []))
    .map((one) => follow(document, one))
  const keysIn = (place: 'header' | 'query' | 'cookie') =>
    keys.flatMap((one) => (one.in === place ? [[one.name, one.write('any')] as const] : []))
  const headers: Record<string, string> = Object.fromEntries(keysIn('header'))
  const query = keysIn('query').map((pair) => pair.join('='))
  const cookies = keysIn('cookie').map((pair) => pair.join('='))
  let url = path
  for (const parameter of parameters) {
    const text = textOf(document, parameter)
    const name = String(parameter.name)
    if (parameter.in === 'path') url = url.replaceAll(`{${name}}`, written(parameter, text))
    else if (parameter.required !== true) continue
    else if (parameter.in === 'query') query.push(queryOf(parameter, name, text))
    else if (parameter.in === 'header') headers[name] = text
    else cookies.push(`${name}=${text}`)
  }
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  const body = bodyOf(document, follow(document, operation.requestBody))
  return {
    url: `${basePath}${url.replaceAll(/\{[^}]*\}/g, 'a')}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers,
    body,
  }
}

function schemaOf(parameter: Readonly<Record<string, unknown>>): unknown {
  if (!isObject(parameter.content)) return parameter.schema
  const [media] = Object.values(parameter.content)
  return isObject(media) ? media.schema : {}
}

function textOf(document: unknown, parameter: Readonly<Record<string, unknown>>): string {
  const value = sampleOf(document, schemaOf(parameter))
  if (isObject(parameter.content)) return encodeURIComponent(JSON.stringify(value))
  if (Array.isArray(value)) return value.map((one) => encodeURIComponent(String(one))).join(',')
  if (isObject(value))
    return Object.entries(Object.keys(value).length > 0 ? value : { a: 1 })
      .flat()
      .map(String)
      .map(encodeURIComponent)
      .join(',')
  return encodeURIComponent(String(value))
}

function written({ style, name }: Readonly<Record<string, unknown>>, text: string): string {
  if (style === 'label') return `.${text}`
  return style === 'matrix' ? `;${String(name)}=${text}` : text
}

function queryOf({ style }: Readonly<Record<string, unknown>>, name: string, text: string): string {
  if (style !== 'deepObject') return `${encodeURIComponent(name)}=${text}`
  const parts = text.split(',')
  return parts
    .flatMap((part, index) => (index % 2 === 0 ? [`${name}[${part}]=${parts[index + 1] ?? ''}`] : []))
    .join('&')
}

function bodyOf(document: Readonly<Record<string, unknown>>, body: Readonly<Record<string, unknown>>) {
  if (body.required !== true || !isObject(body.content)) return undefined
  const types = Object.keys(body.content)
  const type = types.find((one) => one.includes('json')) ?? types[0]
  if (type === undefined) return undefined
  const media = follow(document, body.content[type])
  const value = allowedSample(document, media.schema)
  if (type.includes('json')) return { type, text: JSON.stringify(value) }
  if (type === 'application/x-www-form-urlencoded')
    return {
      type,
      text: new URLSearchParams(
        Object.entries(isObject(value) ? value : {}).map(([name, inner]) => [name, String(inner)]),
      ).toString(),
    }
  if (type === 'multipart/form-data')
    return { type: `${type}; boundary=part`, text: multipart(isObject(value) ? value : {}) }
  return { type: type.includes('*') ? 'text/plain' : type, text: 'a' }
}

/** The first sample that the schema lets pass, or the least of all. */
function allowedSample(document: Readonly<Record<string, unknown>>, schema: unknown): unknown {
  const samples = samplesOf(document, schema)
  if (!isObject(schema)) return samples[0]
  const validate = createAjv().addSchema(document, 'document').compile(rooted(schema))
  return samples.find((one) => validate(one)) ?? samples[0]
}

/** A schema of the document on its own, its references pointing there. */
function rooted(schema: unknown): object {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#')
  return JSON.parse(text) as object
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, unicodeRegExp: false })
  addFormats.default(ajv)
  return ajv
}

function multipart(value: object): string {
  const parts = Object.entries(value).map(
    ([name, inner]) => `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(inner)}\r\n`,
  )
  return `${parts.join('')}--part--\r\n`
}

/** Holds an answer against the document by a validator of its own. */
function createCheck(document: Readonly<Record<string, unknown>>): IsValid {
  const ajv = createAjv().addSchema(document, 'document')
  return ({ pointer }, status, contentType, body) => {
    const responses = at(document, `${pointer}/responses`)
    const name = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find((one) => one in responses)
    // A document that has errors alone leaves open what a success is like.
    const hasSuccess = Object.keys(responses).some((one) => one.startsWith('2') || one === 'default')
    if (name === undefined && !hasSuccess && status < 300) return undefined
    if (name === undefined) return `${status} is not documented`
    const { content } = follow(document, responses[name])
    if (!isObject(content) || Object.keys(content).length === 0) return undefined
    const bare = contentType.split(';')[0] ?? ''
    const type = Object.keys(content).find((one) => (one.split(';')[0] ?? '').toLowerCase() === bare || one === '*/*')
    if (type === undefined) return `${status} has the media type ${contentType || 'none'}`
    if (!bare.includes('json')) return undefined
    const media = follow(document, content[type])
    if (media.schema === undefined) return undefined
    const validate = ajv.compile({
      $ref: `document#${encodeURI(pointerOf(responses[name], `${pointer}/responses/${name}`))}/content/${encodeURI(type.replaceAll('~', '~0').replaceAll('/', '~1'))}/schema`,
    })
    return validate(body) ? undefined : ajv.errorsText(validate.errors)
  }
}

function pointerOf(value: unknown, pointer: string): string {
  return isObject(value) && typeof value.$ref === 'string' ? decodeURIComponent(value.$ref.slice(1)) : pointer
}

function at(document: unknown, pointer: string): Readonly<Record<string, unknown>> {
  return pointer
    .split('/')
    .slice(1)
    .reduce<Readonly<Record<string, unknown>>>(
      (value, part) => {
        const inner = value[part.replaceAll('~1', '/').replaceAll('~0', '~')]
        return isObject(inner) ? inner : {}
      },
      document as Readonly<Record<string, unknown>>,
    )
}
