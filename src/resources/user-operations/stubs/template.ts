import { evaluate, type ExpressionSource, isExpression, PLACE } from '../../../contract/runtime-expression.ts'
import { askedValue, whyIgnored } from '../../../values/asked/asked-value.ts'
import { generatorOfCall } from '../../../values/asked/helper-calls.ts'
import { fakerFor } from '../../../values/faker.ts'
import { shown } from '../../../base/errors/problem.ts'
import { didYouMean } from '../../../base/errors/wording.ts'
import { asText, encodePointer, isObject, stringifyJson, tryParseJson } from '../../../base/formats/json.ts'
import type { StubReader } from './stub-reader.ts'

/** What the places of a template are filled with. */
export interface TemplateSource extends ExpressionSource {
  /** Epoch ms by the sandbox's clock. */
  readonly now: number
  /** The next random number from 0 up to 1. */
  random(): number
  uuid(): string
}

/** A value, and how its places are filled. */
export interface FilledTemplate {
  /** Whether there are none. */
  readonly isConstant: boolean
  /** Undefined where the whole is a place, and what it names was not sent. */
  fill(source: TemplateSource): unknown
}

/**
 * Reads a value with places: runtime expressions of OpenAPI, `{$now}`, `{$uuid}` and methods of Faker (`{$faker.person.fullName}`). A text
 * that is one place becomes the value itself, of whatever type. A member whose value was not sent, and that has no text for it, is left out.
 */
export function readTemplate(value: unknown, pointer: string, reader: StubReader): FilledTemplate {
  if (typeof value === 'string') return readText(value, pointer, reader)
  if (typeof value !== 'object' || value === null) return constant(value)
  const parts = Object.entries(value).map(
    ([name, inner]) => [name, readTemplate(inner, `${pointer}/${encodePointer(name)}`, reader)] as const,
  )
  if (parts.every(([, { isConstant }]) => isConstant)) return constant(value)
  const isList = !isObject(value)
  return {
    isConstant: false,
    fill(source) {
      const filled = parts.flatMap(([name, part]) => {
        const made = part.fill(source)
        return made === undefined ? [] : [[name, made] as const]
      })
      return isList ? filled.map(([, made]) => made) : Object.fromEntries(filled)
    },
  }
}

function constant(value: unknown): FilledTemplate {
  return { isConstant: true, fill: () => value }
}

function readText(text: string, pointer: string, { complain, pathNames, contract }: StubReader): FilledTemplate {
  const expressions = [...text.matchAll(PLACE)].map(([, expression = '']) => expression)
  if (expressions.length === 0) return constant(text)
  for (const expression of expressions) {
    const why = whyUnknown(expression, pathNames)
    if (why !== undefined) complain(pointer, why)
  }
  const local = fakerFor(contract.document)
  const [first = ''] = expressions
  if (text === `{${first}}`) return { isConstant: false, fill: (source) => valueAt(first, source, local) }
  return {
    isConstant: false,
    fill: (source) =>
      text.replaceAll(PLACE, (_place, expression: string) => textOf(valueAt(expression, source, local))),
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? stringifyJson(value) : asText(value)
}

type LocalFaker = ReturnType<typeof fakerFor>

const FAKER = '$faker.'

/** A place may have a value for what was not sent: `{$request.query.page|1}`. */
function valueAt(place: string, source: TemplateSource, local: LocalFaker): unknown {
  const [expression = '', ...usual] = place.split('|')
  if (usual.length === 0) return valueOf(expression, source, local)
  const text = usual.join('|')
  return valueOf(expression, source, local) ?? tryParseJson(text) ?? text
}

function whyUnknown(place: string, pathNames: readonly string[]): string | undefined {
  const [expression = ''] = place.split('|')
  const [, parameter] = /^\$request\.path\.(.+)$/.exec(expression) ?? []
  if (parameter !== undefined && !pathNames.includes(parameter))
    return `${shown(`{${expression}}`)}: the path has no {${parameter}}.${didYouMean(parameter, pathNames)}`
  if (isExpression(expression) || expression === '$now' || expression === '$uuid') return undefined
  if (expression.startsWith(FAKER))
    return whyIgnored(generatorOfCall(expression.slice(FAKER.length)), schemaOf(expression))?.replace(
      ', so it is ignored',
      '',
    )
  return `${shown(`{${expression}}`)} names nothing. There are {$request.body#/a/b}, {$request.query.name}, {$request.path.name}, {$request.header.name}, {$response.body#/a}, {$url}, {$method}, {$now}, {$uuid} and {$faker.person.fullName}.`
}

function schemaOf(expression: string) {
  return { 'x-faker': generatorOfCall(expression.slice(FAKER.length)) }
}

function valueOf(expression: string, source: TemplateSource, local: LocalFaker): unknown {
  if (expression === '$now') return new Date(source.now).toISOString()
  if (expression === '$uuid') return source.uuid()
  if (!expression.startsWith(FAKER)) return evaluate(expression, source)
  return askedValue({
    schema: schemaOf(expression),
    name: '',
    owner: '',
    seed: Math.floor(source.random() * 2 ** 31),
    now: source.now,
    local,
  })
}
