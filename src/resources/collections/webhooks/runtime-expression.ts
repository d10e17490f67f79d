import { headerOf, queryOf } from '../../../base/network/http-message.ts'
import type { AnsweredRequest } from './webhook-plan.ts'
import { valueAt } from '../../../contract/pointer.ts'

/** A request with its response, as the expressions of OpenAPI name their parts. */
interface ExpressionSource {
  readonly exchange: Pick<AnsweredRequest, 'url' | 'method' | 'status' | 'requestHeaders' | 'responseHeaders'>
  /** Of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  readonly requestBody: unknown
  readonly responseBody: unknown
  /** Scheme and authority that the client used. */
  readonly origin: string
}

/**
 * The text of a template with runtime expressions (OpenAPI 3.1, 4.8.20.4); undefined where a part that it names was not sent.
 *
 * @example evaluateTemplate('{$request.body#/callbackUrl}?id={$response.body#/id}', context)
 */
export function evaluateTemplate(template: string, context: ExpressionSource): string | undefined {
  // Some documents write an expression alone, without braces.
  if (template.startsWith('$')) return evaluate(template, context)
  const values = [...template.matchAll(PLACE)].map(([, expression = '']) => evaluate(expression, context))
  if (values.includes(undefined)) return undefined
  const rest = values.values()
  return template.replaceAll(PLACE, () => rest.next().value ?? '')
}

const EXPRESSION = /^\$(url|method|statusCode|(request|response)\.(body(#.*|\..*)?|(header|query|path)\..+))$/

/** Whether a template can be an address: one of expressions that there are, or of the web. */
export function isTemplate(template: string): boolean {
  if (template.startsWith('$')) return EXPRESSION.test(template)
  const places = [...template.matchAll(PLACE)].map(([, expression = '']) => expression)
  const rest = template.replaceAll(PLACE, 'x')
  return (
    !/[{}]/.test(rest) &&
    places.every((one) => EXPRESSION.test(one)) &&
    (/^https?:\/\//.test(rest) || template.startsWith('{'))
  )
}

const PLACE = /\{(\$[^}]*)\}/g

function evaluate(expression: string, context: ExpressionSource): string | undefined {
  const { exchange, parameters, origin } = context
  if (expression === '$url') return origin + exchange.url
  if (expression === '$method') return exchange.method
  if (expression === '$statusCode') return String(exchange.status)
  const [, side, part, rest = ''] = /^\$(request|response)\.(body|header|query|path)(.*)$/s.exec(expression) ?? []
  if (side === undefined) return undefined
  const name = rest.replace(/^\./, '')
  const isRequest = side === 'request'
  switch (part) {
    case 'body':
      return textOf(bodyAt(isRequest ? context.requestBody : context.responseBody, rest))
    case 'header':
      return headerOf(isRequest ? exchange.requestHeaders : exchange.responseHeaders, name.toLowerCase())
    case 'query':
      return queryOf(exchange.url).get(name) ?? undefined
    default:
      return parameters[name]
  }
}

/** @param rest `#/data/url`; some documents write `.data.url` */
function bodyAt(body: unknown, rest: string): unknown {
  return valueAt(body, rest.startsWith('#') ? rest.slice(1) : rest.replaceAll('.', '/'))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}
