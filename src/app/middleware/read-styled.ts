import type { IncomingHttpHeaders } from 'node:http'
import { cookiesOf } from '../../contract/parameters/credential-location.ts'
import type { Parameter } from '../../contract/contract.ts'
import { valuesOf } from '../../contract/schemas/describe-errors.ts'
import { withNumbers } from '../../base/formats/json.ts'
import type { ParameterValue } from '../../resources/handler.ts'
import { shown, type Violation } from '../../base/errors/problem.ts'
import { pathInvalid } from '../../base/errors/request-errors.ts'

export type StyledValues = Record<string, ParameterValue>

/** The values that were read, by the location of their parameters. */
export interface Others {
  readonly path: StyledValues
  readonly query: StyledValues
  readonly headers: StyledValues
  readonly cookies: StyledValues
}

/** What a request sent. */
interface SentStyled {
  /** Not decoded yet. */
  readonly segments: Readonly<Record<string, string>>
  readonly query: ReadonlyMap<string, readonly string[]>
  /** The whole query, not decoded yet. */
  readonly search: string
  readonly headers: IncomingHttpHeaders
}

/** Reads a parameter that is a list, an object or a number, or that goes in a header or a cookie. */
export function readStyled(
  parameter: Parameter,
  style: NonNullable<Parameter['style']>,
  sent: SentStyled,
  into: Others,
  violations: Violation[],
): void {
  const value = style.read({ text: textOf(parameter, sent), query: sent.query })
  if (value === undefined) {
    if (parameter.required) violations.push(missing(parameter))
    return
  }
  violations.push(...(parameter.check?.(withNumbers(value)) ?? []))
  into[PLACES[parameter.in]][parameter.name] = value as ParameterValue
}

const PLACES = { path: 'path', query: 'query', querystring: 'query', header: 'headers', cookie: 'cookies' } as const

function textOf({ in: place, name }: Parameter, { segments, search, headers }: SentStyled): string | undefined {
  switch (place) {
    case 'path':
      // The style decodes each value of a list by itself, so the whole is only checked here.
      decodeSegment(segments[name] ?? '')
      return segments[name]
    case 'query':
      return undefined
    case 'querystring':
      return search === '' ? undefined : search
    case 'header': {
      const held = headers[name.toLowerCase()]
      return Array.isArray(held) ? held.join(',') : held
    }
    case 'cookie':
      return cookiesOf(headers.cookie ?? '', name)[0]
  }
}

/** @throws Problem 400 for an invalid escape */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw pathInvalid({
      detail: `${shown(segment)} is not valid percent-encoded UTF-8. Write %25 for a percent sign.`,
      behaviours: ['http.encoding'],
    })
  }
}

/** The violation of a required parameter that was not sent. */
export function missing({ name, in: place, schema, source }: Parameter): Violation {
  const expected = valuesOf(schema)
  return {
    ...(place === 'header' ? { header: name } : { parameter: name }),
    code: 'required',
    message: `${name}: expected ${expected}, got nothing.`,
    expected,
    source: source(),
  }
}
