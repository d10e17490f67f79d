import { valueAt } from './pointer.ts'
import { isScalar } from '../base/formats/json.ts'

/** A request, and where there is one its response, as the expressions of OpenAPI name their parts. */
export interface ExpressionSource {
  readonly method: string
  /** The whole address. */
  url(): string
  /** Undefined where there is no response yet. */
  readonly status: number | undefined
  /** @param name in lower case */
  header(side: 'request' | 'response', name: string): string | undefined
  /** Undefined where it was not sent. */
  query(name: string): unknown
  /** A parameter of the path, decoded. */
  path(name: string): unknown
  readonly requestBody: unknown
  readonly responseBody: unknown
}

/** The places of a template: `{$request.body#/id}`. */
export const PLACE = /\{(\$[^{}]*)\}/g

const EXPRESSION = /^\$(url|method|statusCode|(request|response)\.(body(#.*|\..*)?|(header|query|path)\..+))$/

/** Whether a text is a runtime expression (OpenAPI 3.1, 4.8.20.4), without braces. */
export function isExpression(text: string): boolean {
  return EXPRESSION.test(text)
}

/**
 * The text of a template with runtime expressions; undefined where a part that it names was not sent.
 *
 * @example evaluateTemplate('{$request.body#/callbackUrl}?id={$response.body#/id}', source)
 */
export function evaluateTemplate(template: string, source: ExpressionSource): string | undefined {
  const textAt = (expression: string) => textOf(evaluate(expression, source))
  // Some documents write an expression alone, without braces.
  if (template.startsWith('$')) return textAt(template)
  const values = [...template.matchAll(PLACE)].map(([, expression = '']) => textAt(expression))
  if (values.includes(undefined)) return undefined
  const rest = values.values()
  return template.replaceAll(PLACE, () => rest.next().value ?? '')
}

/** Whether a template can be an address: one of expressions that there are, or of the web. */
export function isTemplate(template: string): boolean {
  if (template.startsWith('$')) return isExpression(template)
  const places = [...template.matchAll(PLACE)].map(([, expression = '']) => expression)
  const rest = template.replaceAll(PLACE, 'x')
  return !/[{}]/.test(rest) && places.every(isExpression) && (/^https?:\/\//.test(rest) || template.startsWith('{'))
}

/** The value of an expression without braces; undefined for what was not sent. */
export function evaluate(expression: string, source: ExpressionSource): unknown {
  if (expression === '$url') return source.url()
  if (expression === '$method') return source.method
  if (expression === '$statusCode') return source.status
  const [, side, part, rest = ''] = /^\$(request|response)\.(body|header|query|path)(.*)$/s.exec(expression) ?? []
  if (side !== 'request' && side !== 'response') return undefined
  const name = rest.replace(/^\./, '')
  switch (part) {
    case 'body':
      return bodyAt(side === 'request' ? source.requestBody : source.responseBody, rest)
    case 'header':
      return source.header(side, name.toLowerCase())
    case 'query':
      return source.query(name)
    default:
      return source.path(name)
  }
}

/** @param rest `#/data/url`; some documents write `.data.url` */
function bodyAt(body: unknown, rest: string): unknown {
  return valueAt(body, rest.startsWith('#') ? rest.slice(1) : rest.replaceAll('.', '/'))
}

/** A plain value as text; undefined for any other. */
export function textOf(value: unknown): string | undefined {
  return isScalar(value) ? String(value) : undefined
}
