import { createPageInstance } from '../../src/app/browser/create-standin.ts'
import type { AppInstance } from '../../src/app/app-instance.ts'
import { listOperations, reportOperations } from '../../src/app/binding/report-operations.ts'
import { controlDependencies } from '../../src/app/control-dependencies.ts'
import { pathOf } from '../../src/app/pages/ready-request.ts'
import type { Standin } from '../../src/app/standin.ts'
import { linesOf } from '../../src/cli/check/lines.ts'
import type { Operation } from '../../src/contract/contract.ts'
import { StartupError } from '../../src/base/errors/problem.ts'
import { stringifyJson } from '../../src/base/formats/json.ts'

/** Characters. A tab loads it within seconds, and it runs again after each edit. */
const LONGEST_DOCUMENT = 2_000_000

/** A document that is served in this tab. */
export interface Served {
  /** Each document that is served has another. */
  readonly id: number
  readonly standin: Standin
  readonly notes: readonly string[]
  /** What `standin check` prints. */
  readonly check: readonly string[]
  readonly operations: readonly { readonly id: string; readonly name: string }[]
  /** A request that an operation accepts now. */
  requestFor(operationId: string): Promise<SentRequest>
}

/** A request as people edit it. */
export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The name of the document in messages, and in a project. */
export function fileNameOf(document: string): string {
  return /^\s*\{/.test(document) ? 'openapi.json' : 'openapi.yaml'
}

/** Serves a document. @throws StartupError with the sentences that `standin check` would print */
export function serve(document: string, id: number): Served {
  const name = fileNameOf(document)
  if (document.length > LONGEST_DOCUMENT)
    throw new StartupError([
      `${name}: it has ${document.length.toLocaleString('en')} characters, and the playground takes ${LONGEST_DOCUMENT.toLocaleString('en')}. Use \`standin serve --contract ${name}\`.`,
    ])
  if (document.trim() === '') throw new StartupError([`${name}: it is empty. Paste or drop an OpenAPI document.`])
  // A text without a line break would be taken for a path.
  const { standin, instance } = createPageInstance(
    { contract: `${document}\n` },
    { nameOf: () => name, isDryRun: true },
  )
  const { bindings, contract } = instance
  const checked = {
    summary: standin.summary,
    report: reportOperations(bindings),
    overlays: contract.overlays,
    notes: standin.notes,
    listOperations: () => listOperations(bindings),
  }
  return {
    id,
    standin,
    notes: standin.notes,
    check: linesOf(checked, false),
    operations: contract.operations.map(({ operationId, method, basePath, path }) => ({
      id: operationId,
      name: `${method} ${basePath}${path}`,
    })),
    requestFor: createRequests(instance),
  }
}

function createRequests(instance: AppInstance): Served['requestFor'] {
  const { tryOperation } = controlDependencies(instance)
  return async (operationId) => {
    const operation = instance.contract.operations.find((one) => one.operationId === operationId)
    if (!operation) throw new Error(`there is no operation ${operationId}`)
    const tried = await tryOperation(operationId, instance.sandboxes.default, { isAnswered: true, sent: undefined })
    const { path, query, headers, body } = tried?.request ?? { path: {}, query: {}, headers: {}, body: undefined }
    const key = keyFor(operation)
    const search = new URLSearchParams({ ...query, ...key.query }).toString()
    return {
      method: operation.method,
      path: `${operation.basePath}${pathOf(operation, path)}${search === '' ? '' : `?${search}`}`,
      headers: { ...key.headers, ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? '' : JSON.stringify(JSON.parse(stringifyJson(body)), undefined, 2),
    }
  }
}

const KEY = 'any'

/** Any key will do. Cookies are left out: a page cannot send them. */
function keyFor({ securityRequirements: [requirement = []] }: Operation) {
  const valueOf = ({ word, write }: (typeof requirement)[number]) =>
    word === 'Basic' ? `Basic ${btoa(`${KEY}:`)}` : write(KEY)
  const sentIn = (place: string) =>
    Object.fromEntries(requirement.filter((one) => one.in === place).map((one) => [one.name, valueOf(one)]))
  return { headers: sentIn('header'), query: sentIn('query') }
}
