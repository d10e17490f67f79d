import { allowsNull, type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import type { Members } from '../../base/formats/json.ts'
import { plainName } from '../../base/formats/names.ts'

const set = (names: string) => new Set(names.split(' '))

/** Members of a wrapper that say how a request ended, as frameworks and JSend name them, in lower case without separators. */
const SUCCESS = set('success ok successful succeeded issuccess issuccessful issucceeded')
const FAILURE = set('error errors failed failure iserror iserr haserror haserrors')
const STATUS = set('status statuscode httpstatus httpstatuscode httpcode httpresponsecode responsecode code')
const MESSAGE = set('message msg statusmessage statustext')
const ERROR = set(
  'error err errors errormessage errormsg errordescription errordetail errordetails errorcode errortype exception failurereason',
)

/** What a wrapper holds besides: what was asked for. */
const PAYLOAD = set('data result results payload response items records content body')

/** Whether an object holds what was asked for, or the lack of it, and is not an item itself. */
function isWrapper({ properties }: Shape): boolean {
  const names = [...properties.keys()].map(plainName)
  if (names.includes('id')) return false
  return names.some((name) => SUCCESS.has(name)) || (names.some((name) => PAYLOAD.has(name)) && names.length > 1)
}

/**
 * The members of a wrapper that say how a request ended, by its status; undefined for those to leave out. Examples of the contract stay,
 * unless they say that a success failed.
 */
export function outcomeMembers(document: unknown, schema: unknown, status: number): Members {
  const shape = shapeOf(document, schema, 'any')
  if (!isWrapper(shape)) return {}
  const isError = status >= 400
  return Object.fromEntries(
    [...shape.properties].flatMap(([name, member]): [string, unknown][] => {
      const plain = plainName(name)
      const inner = shapeOf(document, member)
      if (!isError && ERROR.has(plain) && !mayBe(inner, 'boolean'))
        return [[name, noError(inner, shape.required.has(name), allowsNull(document, member, true))]]
      const value = valueFor(plain, inner, status)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function valueFor(plain: string, shape: Shape, status: number): unknown {
  const isError = status >= 400
  if (mayBe(shape, 'boolean')) {
    const value = SUCCESS.has(plain) ? !isError : FAILURE.has(plain) ? isError : undefined
    return [shape.keywords.enum, value].flat().includes(value) ? value : undefined
  }
  if (STATUS.has(plain) && (mayBe(shape, 'integer') || mayBe(shape, 'number'))) return fitting(shape, status)
  if (!mayBe(shape, 'string') || hasExample(shape)) return undefined
  if (STATUS.has(plain) && Array.isArray(shape.keywords.enum)) {
    const word = isError ? /^(error|fail(ed|ure)?)$/i : /^(success(ful)?|succeeded|ok(ay)?)$/i
    return shape.keywords.enum.find((one) => typeof one === 'string' && word.test(one))
  }
  if (plain === 'status') return fitting(shape, isError ? 'error' : 'success')
  return MESSAGE.has(plain) && !isError ? fitting(shape, 'OK') : undefined
}

/** Nothing where the schema allows it, else the least that it does. */
function noError(shape: Shape, isRequired: boolean, mayBeNull: boolean): unknown {
  if (!isRequired) return undefined
  if (mayBeNull) return null
  return mayBe(shape, 'array') ? [] : mayBe(shape, 'string') ? '' : mayBe(shape, 'object') ? {} : 0
}

function mayBe({ types }: Shape, type: string): boolean {
  return types.has(type)
}

function hasExample({ keywords: { example, examples, const: constant } }: Shape): boolean {
  return [example, examples, constant].some((one) => one !== undefined)
}

/** The value, unless the schema names others. */
function fitting({ keywords }: Shape, value: unknown): unknown {
  const { enum: choices, const: constant } = keywords
  if (constant !== undefined && constant !== value) return undefined
  return Array.isArray(choices) && !choices.includes(value) ? undefined : value
}
