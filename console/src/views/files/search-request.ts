import type { ExplainSearchRequest, InfoOperation } from '../../../../src/control/client/types.ts'
import { stringifyJson } from '../../../../src/base/formats/json.ts'

/** The fields that entries have, in the order of responses. */
export const FIELDS = [
  'name',
  'path',
  'fileType',
  'contentType',
  'size',
  'created',
  'createdBy',
  'id',
  'hash',
  'hashAlgorithm',
  'downloadUrl',
  'connectorKey',
  'indexStatus',
  'indexReason',
] as const

export const OPERATORS = [
  'LIKE',
  'EQUALS',
  'IN',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'IS_NULL',
] as const

export interface FilterRow {
  readonly field: string
  readonly operator: string
  /** One value a line. */
  readonly values: string
  readonly not: boolean
}

export interface DateRow {
  /** As a `datetime-local` field has them, in UTC; empty for no bound. */
  readonly start: string
  readonly end: string
  readonly not: boolean
}

export interface SortRow {
  readonly field: string
  readonly order: string
}

/** What the form of a search holds. */
export interface SearchForm {
  readonly directoryPath: string
  readonly immediateChildren: boolean
  readonly limit: string
  readonly filters: readonly FilterRow[]
  readonly dateFilters: readonly DateRow[]
  readonly sorts: readonly SortRow[]
}

export const EMPTY_FORM: SearchForm = {
  directoryPath: '',
  immediateChildren: false,
  limit: '100',
  filters: [],
  dateFilters: [],
  sorts: [],
}

export interface SearchRequest {
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, readonly object[]>>
}

/** The request that a form describes. Parts that are left empty are not sent. */
export function requestOf(form: SearchForm): SearchRequest {
  const filters = form.filters.map(({ field, operator, values, not }) => ({
    field,
    operator,
    value: operator === 'IS_NULL' ? [] : values.split('\n').filter((value) => value !== ''),
    not,
  }))
  const dateFilters = form.dateFilters.map(({ start, end, not }) => ({
    field: 'created',
    ...(start === '' ? {} : { start: asInstant(start) }),
    end: end === '' ? null : asInstant(end),
    not,
  }))
  const query = { directoryPath: form.directoryPath, limit: form.limit.trim() }
  return {
    query: {
      ...Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')),
      ...(form.immediateChildren ? { immediateChildren: 'true' } : {}),
    },
    body: {
      ...(filters.length > 0 ? { filters } : {}),
      ...(dateFilters.length > 0 ? { dateFilters } : {}),
      ...(form.sorts.length > 0 ? { fieldSort: form.sorts } : {}),
    },
  }
}

/** `2026-03-01T09:00` in UTC as an instant. */
function asInstant(text: string): string {
  const [date = '', time = '00:00'] = text.split('T')
  return `${date}T${time.length === 5 ? `${time}:00` : time.slice(0, 8)}.000Z`
}

/** The same search for the control API to explain. */
export function explainedRequest(
  fileSetId: string,
  { query, body }: SearchRequest,
  next?: string,
): ExplainSearchRequest {
  return { fileSetId, query: next === undefined ? query : { ...query, next }, body }
}

/** Where a search is sent to. */
export interface SearchTarget {
  readonly operation: InfoOperation
  readonly serviceUrl: string
  readonly fileSetId: string
  readonly apiKey: string
  readonly sandbox: string
}

/** A search as it is sent. @param next the cursor of a further page */
export function httpRequestOf(request: SearchRequest, target: SearchTarget, next?: string) {
  const { operation, serviceUrl, fileSetId, apiKey, sandbox } = target
  const path = operation.path.replace(/\{[^{}]+\}/, encodeURIComponent(fileSetId))
  const query = new URLSearchParams({ ...request.query, ...(next === undefined ? {} : { next }) }).toString()
  const keys = Object.entries(operation.keyHeaders).map(
    ([name, form]) => [name, form.replace('{key}', apiKey)] as const,
  )
  return {
    url: `${serviceUrl}${operation.basePath ?? ''}${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      'Content-Type': 'application/json',
      ...Object.fromEntries(keys),
      ...(sandbox === 'default' ? {} : { 'X-Mock-Sandbox': sandbox }),
    },
    body: stringifyJson(request.body),
  }
}
