import { isDeepStrictEqual } from 'node:util'
import { isMadeByFastApi, isMadeBySpring } from '../../contract/load/document-generators.ts'
import { once } from '../../base/cache.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { follow } from '../../contract/pointer.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { allows, shapeOf } from '../../contract/schemas/shape.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { codeIn } from './error-codes.ts'
import { serializerErrors } from './drf-error.ts'
import { asObject, type Members } from '../../base/formats/json.ts'

/** The body of an error response: its media type and its schema. */
interface ErrorForm {
  readonly contentType: string
  readonly schema: unknown
}

/** How a service writes the errors that its document does not describe: like those that it does. */
export interface ErrorDialect {
  /** Undefined for a document from which nothing follows. */
  formOf(status: number): ErrorForm | undefined
  /** The body for an invalid request, where the framework has a form for it that the document does not describe; else undefined. */
  invalid(status: number, violations: readonly Violation[]): unknown
  /** The status of an invalid request to an operation that documents none: 422 where the document has that alone, as FastAPI has. */
  invalidStatus(): 400 | 422
  /** A code that an example of an error shows: `not_found`. */
  anyCode(): string | undefined
  /** What the framework of the service says of a problem by itself; undefined where that is not known. */
  sentence(id: string, request: RequestLine): string | undefined
}

/** Read with the first error that no operation describes. */
export function createErrorDialect(contract: Contract): ErrorDialect {
  const framework = once(() => FRAMEWORKS.find(({ made }) => made(contract)))
  const knownForms = once(() => formsOf(contract, framework()))
  return {
    invalidStatus() {
      const has = (name: string) => knownForms().some(({ statuses }) => statuses.has(name))
      return has('422') && !has('400') && !has('4XX') ? 422 : 400
    },
    invalid(status, violations) {
      const isKnown = knownForms().some(({ statuses }) => statuses.has(String(status)) || statuses.has('4XX'))
      const isOfMember = (one: Violation) => one.code === 'type' || (one.pointer ?? one.parameter ?? '') !== ''
      return status === 400 && violations.some(isOfMember) && !isKnown ? framework()?.invalid?.(violations) : undefined
    },
    sentence: (id, request) => framework()?.sentences?.[id]?.(request),
    anyCode: () => knownForms().find(({ code }) => code !== undefined)?.code,
    formOf(status) {
      const known = knownForms()
      const fitting = known.filter(({ statuses }) => statuses.has(String(status)))
      const [form] = (fitting.length > 0 ? fitting : known).toSorted((one, other) => other.count - one.count)
      return form && withoutCauses(contract.document, form, status)
    },
  }
}

interface KnownForm extends ErrorForm {
  readonly statuses: Set<string>
  count: number
  code: string | undefined
}

/** Large documents describe the same few forms again and again. */
const MAX_READ = 1000

/** The forms of the errors of all operations; else of a component that is named like one, else those of the framework. */
function formsOf({ document, operations }: Contract, framework: Framework | undefined): readonly KnownForm[] {
  const forms = new Map<string, KnownForm>()
  for (const operation of operations.slice(0, MAX_READ)) {
    const documented = readDocumented(document, operation)
    // Some documents write `default` for the one success.
    const successes = documented.statuses.flatMap((one) =>
      one.startsWith('2') ? [documented.response(numberOf(one))?.schema] : [],
    )
    const hasSuccess = successes.length > 0
    for (const name of documented.statuses.filter((one) => /^[45]/.test(one) || (hasSuccess && one === 'default'))) {
      const { contentType, schema, example } = documented.response(numberOf(name)) ?? {}
      if (contentType === undefined || schema === undefined) continue
      // A conflict may show the result of what failed, which is the form of no other error.
      if (successes.some((one) => isDeepStrictEqual(one, schema))) continue
      const { types, properties } = shapeOf(document, schema)
      // A text, or an object of which nothing is said, is no form where the framework has one.
      if (framework?.form !== undefined && properties.size === 0 && !types.has('array')) continue
      const key = `${contentType} ${[...types].join()} ${[...properties.keys()].join()}`
      const form = forms.get(key) ?? { contentType, schema, statuses: new Set(), count: 0, code: undefined }
      form.code ??= codeIn(example)
      form.statuses.add(name)
      form.count += 1
      forms.set(key, form)
    }
  }
  if (forms.size > 0) return [...forms.values()]
  const schema = componentForm(document) ?? framework?.form
  return schema === undefined
    ? []
    : [{ contentType: 'application/json', schema, statuses: new Set(), count: 0, code: undefined }]
}

/** A status that the name of a response stands for: `404`, `4XX`, `default`. */
function numberOf(name: string): number {
  return name === 'default' ? 0 : Number(name.replaceAll(/x/gi, '0'))
}

/** A component that is named as errors are, though no operation refers to it. */
function componentForm({ components }: Members): unknown {
  const schemas = asObject(asObject(components).schemas)
  const named = Object.entries(schemas).find(([name]) => ERROR_NAME.test(name))
  return named?.[1]
}

const ERROR_NAME =
  /^(?:(?:api|http|rest|base|general|standard|default)?(?:error|exception|problem)(?:details?|response|model|body|dto)?)$/i

const text = { type: 'string' }
const status = { type: 'integer' }

function object(properties: Members): Members {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** `{"detail": "Not Found"}`, as FastAPI, Django REST framework and Django Ninja respond. */
const DETAIL = object({ detail: text })

/** The method and the path of a request. */
export interface RequestLine {
  readonly method: string
  readonly path: string
}

interface Framework {
  /** Whether it has made the document. */
  made(contract: Contract): boolean
  /** The form of the errors that it sends by itself; undefined where its documents describe one. */
  readonly form?: object
  /** The body for an invalid request, where it differs from other errors. */
  readonly invalid?: (violations: readonly Violation[]) => unknown
  /** What it says of the problems that it finds by itself, by their ids. */
  readonly sentences?: Readonly<Record<string, (request: RequestLine) => string>>
}

function hasOperation({ operations }: Contract, test: (operation: Operation) => boolean): boolean {
  return operations.slice(0, MAX_READ).some(test)
}

const cannot = ({ method, path }: RequestLine) => `Cannot ${method} ${path}`
const noEndpoint = ({ method, path }: RequestLine) => `Endpoint "${method} ${path}" not found.`

/**
 * Documents that frameworks generate tell which framework it was, and never describe the errors that it sends by itself: Spring's
 * `BasicErrorController`, Nest's `HttpException`, the sequences of LoopBack, the exceptions of Django REST framework and of Starlette.
 */
const FRAMEWORKS: readonly Framework[] = [
  {
    // LoopBack
    made: (contract) =>
      hasOperation(contract, ({ extensions }) => 'x-controller-name' in extensions && 'x-operation-name' in extensions),
    form: object({ error: object({ statusCode: status, name: text, message: text }) }),
    sentences: { 'path-unknown': noEndpoint, 'method-not-allowed': noEndpoint },
  },
  {
    // Spring
    made: ({ document }) => isMadeBySpring(document),
    form: object({ timestamp: { type: 'string', format: 'date-time' }, status, error: text, path: text }),
  },
  {
    // Nest
    made: (contract) => hasOperation(contract, ({ operationId }) => /^[A-Z]\w*Controller_\w+$/.test(operationId)),
    form: object({ message: text, error: text, statusCode: status }),
    sentences: { 'path-unknown': cannot, 'method-not-allowed': cannot },
  },
  {
    // Django REST framework
    made: (contract) =>
      hasOperation(
        contract,
        ({ operationId, method }) => method === 'PATCH' && operationId.endsWith('_partial_update'),
      ),
    form: DETAIL,
    invalid: serializerErrors,
    sentences: {
      'method-not-allowed': ({ method }) => `Method "${method}" not allowed.`,
      'key-missing': () => 'Authentication credentials were not provided.',
    },
  },
  {
    // FastAPI
    made: ({ document }) => isMadeByFastApi(document),
    sentences: {
      'path-unknown': () => 'Not Found',
      'method-not-allowed': () => 'Method Not Allowed',
      'key-missing': () => 'Not authenticated',
    },
  },
]

/**
 * A form that is nothing but a list of what is wrong with a request says nothing of other errors. Frameworks that describe their
 * validation alone send a sentence in its place: `{"detail": "Not Found"}` beside `{"detail": [{"loc": […], "msg": …}]}`.
 */
function withoutCauses(document: unknown, form: ErrorForm, code: number): ErrorForm {
  if (code === 400 || code === 422) return form
  const { properties } = shapeOf(document, form.schema)
  const [[name, inner] = [], ...others] = properties
  if (name === undefined || others.length > 0) return form
  const list = shapeOf(document, inner)
  const cause = shapeOf(document, follow(document, list.items))
  const isCauses = list.types.has('array') && cause.properties.has('loc') && cause.properties.has('msg')
  return isCauses && !allows(list, 'string') ? { ...form, schema: object({ [name]: text }) } : form
}
