// Writes the types of the control API and the table of its operations from spec/control.openapi.yaml: types/control-api.d.ts and
// src/control/client/operations.ts. With --check it writes nothing and fails when a file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { format, resolveConfig } from 'prettier'
import ts from 'typescript'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..')

/** Names of types for schemas whose own name means something else in the code. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  Behaviour: 'BehaviourRecord',
  Behaviours: 'BehavioursDocument',
  Clock: 'ClockState',
  Coverage: 'CoverageReport',
  Delivery: 'DeliveryRecord',
  Entry: 'EntryRecord',
  Exchange: 'ExchangeRecord',
  Fault: 'FaultRecord',
  FileSet: 'FileSetSummary',
  Header: 'HeaderRecord',
  History: 'HistoryPage',
  Instant: 'InstantText',
  Replay: 'ReplayDocument',
  ReportSchedule: 'ReportScheduleRecord',
  Run: 'RunRecord',
  RunWithDeliveries: 'PassedRun',
  Sandbox: 'SandboxSummary',
  Stub: 'StubRecord',
  State: 'StateDocument',
}

interface Reference {
  readonly $ref: string
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: { readonly type: string }
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Partial<Reference> & { readonly type?: string } }>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

const text = readFileSync(join(root, 'spec/control.openapi.yaml'), 'utf8')
const document = parse(text, { merge: true, maxAliasCount: -1 }) as Document
const { schemas, parameters } = document.components
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

const NUMBER_OR_BIGINT = [ts.SyntaxKind.NumberKeyword, ts.SyntaxKind.BigIntKeyword] as const

/** The schemas as types. Integers of 64 bits may be a bigint, and members that may be absent may be undefined. */
async function renderSchemas(): Promise<string> {
  const named = Object.entries(schemas).map(([name, schema]) => [TYPE_NAMES[name] ?? name, schema] as const)
  const renamed = JSON.stringify(Object.fromEntries(named)).replaceAll(
    /"#\/components\/schemas\/(\w+)"/g,
    (_whole, name: string) => `"#/components/schemas/${TYPE_NAMES[name] ?? name}"`,
  )
  const api = {
    openapi: '3.1.0',
    info: { title: 'Standin control API', version: '1' },
    paths: {},
    components: { schemas: JSON.parse(renamed) as object },
  } as OpenAPI3
  const nodes = await openapiTS(api, {
    silent: true,
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    emptyObjectsUnknown: true,
    defaultNonNullable: false,
    transform: (schema) => {
      const { format: kind, type } = schema
      if (type === 'object' && !('properties' in schema) && !('additionalProperties' in schema))
        return ts.factory.createKeywordTypeNode(ts.SyntaxKind.ObjectKeyword)
      if (kind !== 'int64') return undefined
      const integer = NUMBER_OR_BIGINT.map((keyword) => ts.factory.createKeywordTypeNode(keyword))
      const orNull = Array.isArray(type) ? [ts.factory.createLiteralTypeNode(ts.factory.createNull())] : []
      return ts.factory.createUnionTypeNode([...integer, ...orNull])
    },
  })
  const kept = nodes.filter((node) => !/^(paths|webhooks|operations|\$defs)$/.test(nameOf(node)))
  return astToString(ts.transform(kept, [optionalMayBeUndefined]).transformed)
}

function nameOf(node: ts.Node): string {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? node.name.text : ''
}

const optionalMayBeUndefined: ts.TransformerFactory<ts.Node> = (context) => (node) => {
  const visit = (one: ts.Node): ts.Node => {
    const inner = ts.visitEachChild(one, visit, context)
    if (!ts.isPropertySignature(inner) || !inner.questionToken || !inner.type) return inner
    const orUndefined = [inner.type, ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)]
    const type = ts.factory.createUnionTypeNode(orUndefined)
    return ts.factory.updatePropertySignature(inner, inner.modifiers, inner.name, inner.questionToken, type)
  }
  return visit(node)
}

/** The operations as methods: the parameters of the path in order, then the body or the query. */
function renderMethods(): string {
  const methods = operations.map(({ path, operation }) => {
    const all = (operation.parameters ?? []).map((one) => ('$ref' in one ? parameterAt(one.$ref) : one))
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const found = all.find((one) => one.name === name)
      return `${name}: ${typeOf(found)}`
    })
    const query = all
      .filter((one) => one.in === 'query' && one.name !== 'sandbox')
      .map((one) => `/** ${one.description ?? ''} */\nreadonly ${one.name}?: ${typeOf(one)} | undefined`)
    const body = operation.requestBody ? [`body: ${contentOf(operation.requestBody) ?? 'unknown'}`] : []
    const queries = query.length > 0 ? [`query?: {\n${query.join('\n')}\n}`] : []
    const success = operation.responses['200'] ?? operation.responses['201'] ?? {}
    const result = contentOf(success) ?? 'void'
    return `/** ${operation.summary}. */\n${operation.operationId}(${[...inPath, ...queries, ...body].join(', ')}): Promise<${result}>`
  })
  return `/** The operations of the control API. */\nexport interface ControlOperations {\n${methods.join('\n')}\n}`
}

function parameterAt(reference: string): Parameter {
  const found = parameters[reference.split('/').at(-1) ?? '']
  if (!found) throw new Error(`spec/control.openapi.yaml has no ${reference}`)
  return found
}

function typeOf(parameter: Parameter | undefined): string {
  const { type = '' } = parameter?.schema ?? {}
  if (type === 'integer') return 'number'
  // A status is a number too, or a class such as 4XX.
  return parameter?.name === 'status' ? 'string | number' : type
}

function contentOf({ content = {} }: Content): string | undefined {
  const [media] = Object.values(content)
  const name = media?.schema.$ref?.split('/').at(-1)
  return name === undefined ? media?.schema.type : (TYPE_NAMES[name] ?? name)
}

const HEADER = '// Generated from spec/control.openapi.yaml. Do not edit: run node scripts/generate-control-api.ts\n\n'

const table = operations.map(({ path, method, operation }) => `${operation.operationId}: ['${method}', '${path}'],`)
const files = {
  'types/control-api.d.ts': `${HEADER}${await renderSchemas()}\n${renderMethods()}\n`,
  'src/control/client/operations.ts': `${HEADER}/** Method and path of each operation of the control API, by operationId. */\nexport const OPERATIONS = {\n${table.join('\n')}\n} as const\n`,
}

for (const [name, content] of Object.entries(files)) {
  const path = join(root, name)
  const formatted = await format(content, { ...(await resolveConfig(path)), parser: 'typescript' })
  if (!process.argv.includes('--check')) writeFileSync(path, formatted)
  else if (readFileSync(path, 'utf8') !== formatted) {
    console.error(`${name} is stale. Run: node scripts/generate-control-api.ts`)
    process.exitCode = 1
  }
}
