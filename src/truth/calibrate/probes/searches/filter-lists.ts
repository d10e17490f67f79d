import type { Probe } from '../../probe.ts'
import type { Asking, Questioner } from '../../questioner.ts'
import { askAbout, type SearchKnowledge } from '../../search-model/choose-search.ts'
import { deduce } from '../../search-model/deduction.ts'
import { FILTER_FIELDS, OPERATORS } from '../../../../behaviours/file-fields.ts'
import { probeByDeduction } from '../deduced.ts'
import {
  type FieldName,
  fieldsAmong,
  filterBy,
  NUMBER_FIELDS,
  type Operator,
  operatorsAmong,
  someValuesIn,
  TEXT_FIELDS,
} from './filter-witnesses.ts'

/** A search that is refused for its operator, if for anything. */
function* filtersWith(operator: Operator, { deduction }: SearchKnowledge) {
  const isIgnored = !deduction.domainOf('filter.unknown').includes('error')
  const fields = operator.includes('_THAN') ? [...NUMBER_FIELDS, 'created' as const, ...TEXT_FIELDS] : TEXT_FIELDS
  for (const field of isIgnored ? ['colour'] : fieldsAmong(fields, deduction)) yield filterWith(field, operator)
}

/** With a short value: a service may refuse long ones. */
function filterWith(field: string, operator: Operator) {
  const value = field === 'created' ? '2001-01-01T00:00:00Z' : isNumber(field) ? '1' : 'x'
  return filterBy({ field, operator, ...(operator === 'IS_NULL' ? {} : { value: [value] }) })
}

function isNumber(field: string): boolean {
  return NUMBER_FIELDS.some((one) => one === field)
}

/** Filters of which the result shows whether the field counts. */
function* filtersOf(field: FieldName, { deduction, entries }: SearchKnowledge) {
  const operators = operatorsAmong(OPERATORS, deduction)
  const isSafe = (operator: Operator) => field !== 'created' || operator !== 'LIKE'
  for (const operator of ['EQUALS', 'IN', 'IS_NULL', 'LESS_THAN', 'GREATER_THAN', 'LIKE'] as const)
    if (operators.includes(operator) && isSafe(operator))
      for (const not of [false, true])
        for (const value of operator === 'IS_NULL' ? [undefined] : someValuesIn(entries, field))
          yield filterBy({
            field,
            operator,
            ...(value === undefined ? {} : { value: [value] }),
            ...(not ? { not } : {}),
          })
}

/** Tries operators until one is accepted. */
function* findOperator(questioner: Questioner): Asking {
  for (const operator of ['LIKE', 'EQUALS', 'IN', 'IS_NULL', 'LESS_THAN', 'GREATER_THAN'] as const) {
    const { domainOf } = deduce(questioner.traffic)
    if (OPERATORS.some((one) => !domainOf(`operator:${one}`).includes(false))) return
    const candidates = (known: SearchKnowledge) => filtersWith(operator, known)
    yield* askAbout(questioner, { unknowns: [`operator:${operator}`], candidates, most: 1 })
  }
}

function* askForFields(questioner: Questioner, fields: readonly FieldName[]): Asking {
  for (const field of fields)
    yield* askAbout(questioner, {
      unknowns: [`field:${field}`],
      candidates: (known) => filtersOf(field, known),
      most: 2,
    })
}

function* askForOperators(questioner: Questioner, operators: readonly Operator[]): Asking {
  for (const operator of operators)
    yield* askAbout(questioner, {
      unknowns: [`operator:${operator}`],
      candidates: (known) => filtersWith(operator, known),
      most: 3,
    })
}

/** What is accepted on text first, which shows what to try with numbers and timestamps, which not every operator is for. */
function* askForLists(questioner: Questioner): Asking {
  yield* findOperator(questioner)
  yield* askAbout(questioner, {
    unknowns: ['filter.unknown'],
    *candidates({ deduction }) {
      for (const operator of operatorsAmong(OPERATORS, deduction)) yield filterWith('colour', operator)
    },
  })
  yield* askForFields(questioner, TEXT_FIELDS)
  yield* askForOperators(questioner, ['EQUALS', 'IN', 'IS_NULL', 'LIKE'])
  yield* askForFields(questioner, [...NUMBER_FIELDS, 'created'])
  yield* askForOperators(questioner, OPERATORS)
  yield* askForFields(questioner, FILTER_FIELDS)
}

export const FILTER_LISTS: readonly Probe[] = [
  probeByDeduction('filter.fields', {
    unknowns: ['filter.unknown', ...FILTER_FIELDS.map((field) => `field:${field}`)],
    compose: (values) => ({
      fields: FILTER_FIELDS.filter((field) => values.get(`field:${field}`) === true),
      unknown: values.get('filter.unknown') as 'error',
    }),
    missing: 'the result is the same whether a filter by some field counts or not',
    ask: askForLists,
  }),

  probeByDeduction('filter.operators', {
    unknowns: OPERATORS.map((operator) => `operator:${operator}`),
    compose: (values) => OPERATORS.filter((operator) => values.get(`operator:${operator}`) === true),
    missing: 'some operator was refused where other parts of the filter may be the reason',
    ask: (questioner) => askForOperators(questioner, OPERATORS),
  }),
]
