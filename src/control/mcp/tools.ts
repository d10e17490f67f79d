import type { OperationId } from '../client/client.ts'
import { OPERATIONS } from '../client/operations.ts'
import { follow, valueAt } from '../../contract/pointer.ts'
import { bundleSchema } from '../../contract/schemas/bundle-schema.ts'
import { encodePointer } from '../../base/formats/json.ts'
import { readPackaged } from '../../base/formats/source-file.ts'

/** A tool: an operation of the control API under its own name, or `sendRequest`. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: false
  }
}

/** What a model should know besides what the contract says of an operation. */
const HINTS: Partial<Record<OperationId, string>> = {
  getInfo: 'Begin here: which contract is served, and which operations there are.',
  listExchanges:
    'To learn why requests failed, pass `status: "4XX"`: the body of such a response is a problem with `detail` and `errors`. Of each body the beginning is shown; `getExchange` shows it whole.',
  explain:
    'Use it when a list or search does not return what you expect, or a report schedule runs at an unexpected time.',
  verifyJournal: 'It changes nothing.',
  advanceClock: 'Runs of report schedules that fall due on the way happen, in order, and are returned.',
  reset: 'What was changed in the sandbox since its start is lost.',
}

/** For programs or other tools, or too large for a model. */
const LEFT_OUT: ReadonlySet<string> = new Set<OperationId>([
  'getReplay',
  'getHealth',
  'getContract',
  'getContractYaml',
  'getControlContract',
  'getControlContractYaml',
  'getSandbox',
  'getState',
  'putState',
  'getMetrics',
  'exportHar',
  'openStream',
  'getFileSet',
  'getFault',
])

const OFFERED = Object.keys(OPERATIONS).filter((id): id is OperationId => isOperation(id) && !LEFT_OUT.has(id))

/** Some operations only read, though they are sent with POST. */
function isRead(id: OperationId): boolean {
  return OPERATIONS[id][0] === 'GET' || id === 'explain' || id === 'verifyJournal'
}

/** The tools: those that only read, and with `mayChange` the others. */
export function listTools(mayChange: boolean): Tool[] {
  return [
    ...OFFERED.filter(isRead).map((id) => toolOf(id, true)),
    sendRequest(mayChange),
    ...(mayChange ? OFFERED.filter((id) => !isRead(id)).map((id) => toolOf(id, false)) : []),
  ]
}

export function isOperation(name: string): name is OperationId {
  return Object.hasOwn(OPERATIONS, name)
}

function toolOf(id: OperationId, isRead: boolean): Tool {
  const { summary, description } = summaryOf(id)
  const sentences = [`${summary}.`, description?.trim(), HINTS[id]]
  return {
    name: id,
    title: summary,
    description: sentences.filter((one) => one !== undefined).join(' '),
    inputSchema: inputSchemaOf(id),
    annotations: {
      readOnlyHint: isRead,
      destructiveHint: !isRead && /^(delete|remove|reset|put|restore|change)/.test(id),
      idempotentHint: isRead || /^(delete|remove|reset|put|restore)/.test(id),
      openWorldHint: false,
    },
  }
}

function sendRequest(mayChange: boolean): Tool {
  const limit = mayChange ? '' : ' Only operations that read: those with GET or HEAD, and searches of file sets.'
  return {
    name: 'sendRequest',
    title: 'Send a request to the mocked service',
    description:
      'Sends a request as a client of the service would, and returns status, headers and body of the response. ' +
      `Name an operation that \`getInfo\` lists.${limit} An API key is added. The request is listed in the journal like any other.`,
    inputSchema: {
      type: 'object',
      properties: {
        operationId: { type: 'string', description: 'The operation.', examples: ['searchFiles'] },
        path: {
          type: 'object',
          description: 'The parameters of the path, by name.',
          additionalProperties: { type: ['string', 'number'] },
          examples: [{ fileSetId: 'demo' }],
        },
        query: {
          type: 'object',
          description: 'The parameters of the query, by name.',
          additionalProperties: { type: ['string', 'number', 'boolean'] },
          examples: [{ limit: 10 }],
        },
        headers: {
          type: 'object',
          description: 'Further headers, by name.',
          additionalProperties: { type: 'string' },
          examples: [{ Prefer: 'code=503' }],
        },
        body: { description: 'The body, which is sent as JSON.' },
        sandbox: { type: 'string', description: 'The sandbox.' },
      },
      required: ['operationId'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: !mayChange,
      destructiveHint: mayChange,
      idempotentHint: !mayChange,
      openWorldHint: false,
    },
  }
}

interface ControlParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: object
  readonly example?: unknown
}

interface ControlOperation {
  readonly summary: string
  readonly description?: string
  /** Some are references. */
  readonly parameters?: readonly unknown[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<
      Record<string, { readonly schema: object; readonly examples?: Readonly<Record<string, { value: unknown }>> }>
    >
  }
}

/** What the contract of the control API says of an operation. */
function summaryOf(id: OperationId): { readonly summary: string; readonly description?: string } {
  return operationOf(id)
}

/** The parameters of an operation's path, in their order, and whether it takes a body. */
export function parametersOf(id: OperationId): { readonly path: readonly string[]; readonly hasBody: boolean } {
  const [, template] = OPERATIONS[id]
  const path = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return { path, hasBody: operationOf(id).requestBody !== undefined }
}

/**
 * The JSON Schema of a tool's arguments: the parameters of the path and of the query by their names, and `body`. What the body's schema refers
 * to is in `$defs`.
 */
function inputSchemaOf(id: OperationId): { readonly type: 'object'; readonly [key: string]: unknown } {
  const { parameters = [], requestBody } = operationOf(id)
  const given = parameters
    .map((parameter) => follow(contract(), parameter) as ControlParameter)
    .filter((parameter) => parameter.in !== 'header')
  const required = given.filter((one) => one.required === true).map((one) => one.name)
  const properties: Record<string, object> = {}
  for (const { name, schema, description, example } of given)
    properties[name] = { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) }
  const content = requestBody?.content['application/json']
  if (requestBody && content) {
    const examples = Object.values(content.examples ?? {}).map((example) => example.value)
    properties.body = { ...content.schema, ...(examples.length > 0 ? { examples } : {}) }
    if (requestBody.required === true) required.push('body')
  }
  const type = 'object' as const
  const { schema } = bundleSchema(contract(), { type, properties, required, additionalProperties: false })
  return { ...schema, type }
}

function operationOf(id: OperationId): ControlOperation {
  const [method, path] = OPERATIONS[id]
  return valueAt(contract(), `/paths/${encodePointer(path)}/${method.toLowerCase()}`) as ControlOperation
}

function contract(): unknown {
  return readPackaged('spec/control.openapi.yaml').value
}
