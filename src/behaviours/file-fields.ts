import type { BehaviourSettings } from '../../types/behaviour-settings.d.ts'

/** The members of an entry of a file set, in the order of responses: searches can filter by each. */
export const FILTER_FIELDS = [
  'id',
  'path',
  'name',
  'fileType',
  'contentType',
  'size',
  'hash',
  'hashAlgorithm',
  'downloadUrl',
  'created',
  'createdBy',
  'connectorKey',
  'indexStatus',
  'indexReason',
] as const satisfies BehaviourSettings['filter.fields']['fields']

export const SORT_FIELDS = [
  'created',
  'name',
  'path',
  'id',
  'size',
  'createdBy',
  'fileType',
  'contentType',
] as const satisfies BehaviourSettings['sort.fields']

/** Operators that compare with a bound. */
const ORDER_OPERATORS = [
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
] as const satisfies BehaviourSettings['filter.operators']

export const OPERATORS = [
  'LIKE',
  'EQUALS',
  'IN',
  ...ORDER_OPERATORS,
  'IS_NULL',
] as const satisfies BehaviourSettings['filter.operators']
