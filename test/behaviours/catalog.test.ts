import { isDeepStrictEqual } from 'node:util'
import { expect, expectTypeOf, test } from 'vitest'
import type { BehaviourSettings } from '../../types/behaviour-settings.d.ts'
import { chooseBehaviours, parseOverride } from '../../src/behaviours/behaviours.ts'
import { createBehaviourTracker, splitSetting } from '../../src/behaviours/tracker.ts'
import { readCatalog } from '../../src/behaviours/catalog.ts'
import { checkCatalog } from '../../scripts/check-catalog.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { startComplaintsOf } from '../support/tester.ts'

const ledger = readCatalog(readPackaged('spec/behaviours.yaml').value)

/** The answers that `overrides` lead to, each written as on a command line. */
function answersWith(...overrides: string[]): BehaviourSettings {
  return chooseBehaviours(ledger, { overrides: overrides.map((text) => parseOverride(text)) }).settings
}

function complaintsWith(...overrides: string[]): readonly string[] {
  return startComplaintsOf(() => answersWith(...overrides))
}

/** A catalogue with one valid behaviour, some of whose fields are replaced. */
function ledgerOfOne(fields: object = {}): object {
  const row = {
    id: 'tea.milk',
    question: 'Is there milk in the tea?',
    answer: 'No.',
    default: 'none',
    options: { choice: ['none', 'first', 'drops:N'] },
    basis: 'assumed',
    reason: 'Not everybody takes it.',
  }
  return {
    profiles: { default: 'Ours.', guest: 'Theirs.' },
    sections: [{ title: 'Tea', behaviours: [{ ...row, ...fields }] }],
  }
}

test('the catalogue answers every open question, section by section', () => {
  const counts = Map.groupBy(ledger.behaviours, (row) => row.section)
  expect([...counts].map(([section, rows]) => [section, rows.length])).toEqual([
    ['Pagination and cursor', 21],
    ['Directories and file sets', 25],
    ['Sort', 10],
    ['Filters', 20],
    ['Date filters', 8],
    ['Create and update', 28],
    ['Schedule time', 17],
    ['Recipients', 6],
    ['Collections', 24],
    ['Webhooks and callbacks', 3],
    ['Streams', 3],
    ['HTTP, authentication, errors', 34],
  ])
})

test('every probe says whether it writes', () => {
  const kinds = ledger.behaviours.flatMap((row) => row.probe?.split(': ')[0] ?? [])
  expect([...new Set(kinds)].sort()).toEqual(['reads', 'writes', 'writes nothing'])
})

test('a row has its answer in words and as a value, and says how sure it is', () => {
  expect(ledger.behaviours.find((row) => row.id === 'page.last')).toEqual({
    id: 'page.last',
    section: 'Pagination and cursor',
    question: 'How is the last page marked?',
    answer: 'The pageContext of the last page holds no `next`.',
    default: 'absent',
    options: { choice: ['absent', 'null', 'empty'] },
    alternatives: '`empty` is the empty string.',
    basis: 'standard',
    reason: expect.stringContaining('AIP-158') as string,
    probe: 'reads: search with limit=1000 on a file set that has fewer entries',
    profiles: { observed: 'null' },
  })
})

test.each([
  ['no reason', { reason: undefined }, '`reason` must be text.'],
  [
    'an unknown basis',
    { basis: 'hearsay' },
    '`basis` must be one of documented, observed, standard, assumed, protects.',
  ],
  ['a misspelt field', { probee: 'reads: a cup' }, 'there is no field `probee`. Did you mean `probe`?'],
  [
    'an id in capitals',
    { id: 'Tea.Milk' },
    'an id is one or two words of small letters, digits and `-`, joined by a dot.',
  ],
  [
    'a default that its switch does not allow',
    { default: 'frist' },
    'the default: `frist` is not allowed here: did you mean `first`? Allowed: none, first, drops:N (a capital stands for a whole number from 1).',
  ],
  [
    'options of no known form',
    { options: { choices: ['none'] } },
    'options are exactly one of choice, number, numbers, list, parts, value.',
  ],
  [
    'no options and no word',
    { options: undefined, default: 4 },
    'the default: a behaviour without options has a word here.',
  ],
  ['an answer for a profile that is not there', { profiles: { host: 'first' } }, 'there is no profile `host`.'],
  [
    'a profile that repeats the default',
    { profiles: { guest: 'none' } },
    'profile guest repeats the default. Remove it.',
  ],
])('a row with %s is refused', (_fault, fields, complaint) => {
  const id = 'id' in fields ? fields.id : 'tea.milk'
  expect(startComplaintsOf(() => checkCatalog(ledgerOfOne(fields), 'tea.yaml'))).toContain(
    `tea.yaml#${id}: ${complaint}`,
  )
})

test('a catalogue is refused with all its errors at once', () => {
  const { profiles, sections } = ledgerOfOne() as { profiles: object; sections: { behaviours: object[] }[] }
  const rows = [...sections[0]!.behaviours, ...sections[0]!.behaviours, {}]
  expect(
    startComplaintsOf(() => checkCatalog({ profiles, sections: [{ title: 'Tea', behaviours: rows }] }, 'tea.yaml')),
  ).toEqual([
    'tea.yaml#tea.milk: the id is taken. Give each behaviour its own.',
    'tea.yaml#Tea, behaviour 3: `id` is missing.',
    'tea.yaml#Tea, behaviour 3: `question` is missing.',
    'tea.yaml#Tea, behaviour 3: `answer` is missing.',
    'tea.yaml#Tea, behaviour 3: `default` is missing.',
    'tea.yaml#Tea, behaviour 3: `basis` is missing.',
    'tea.yaml#Tea, behaviour 3: `reason` is missing.',
  ])
})

test('without a profile every row has its default', () => {
  const { profile, settings } = chooseBehaviours(ledger)
  expect(profile).toBe('default')
  expect(settings).toEqual(Object.fromEntries(ledger.behaviours.map((row) => [row.id, row.default])))
  expect(settings['filter.max']).toEqual({ filters: 100, values: 1000, characters: 1024 })
  expect(settings['create.defaults']).toEqual({ enabled: true, attachmentInclude: false, additionalRecipients: [] })
  expect(settings['create.status']).toBe('200')
})

/** What a profile answers otherwise than the default does. */
function differencesOf(profile: string): Record<string, unknown> {
  const { settings } = chooseBehaviours(ledger, { profile })
  const byDefault = chooseBehaviours(ledger).settings
  const changed = Object.entries(settings).filter(
    ([id, answer]) => !isDeepStrictEqual(answer, byDefault[id as keyof BehaviourSettings]),
  )
  return Object.fromEntries(changed)
}

test('the profile `observed` answers as a service of this shape has been seen to', () => {
  expect(differencesOf('observed')).toEqual({
    'page.last': 'null',
    'next.omitted-query': 'reevaluate',
    'next.conflict': 'reevaluate',
    'next.content': 'plain',
    'set.unknown': '403',
    'filter.value-type': 'coerce',
    'date.format': 'plus-epoch-ms',
    'update.unknown-id': '403',
    'auth.refused': '403',
    'http.empty-body': 'error',
    'error.body': 'service',
  })
})

test('the profile `document-only` refuses what the interface does not show', () => {
  expect(differencesOf('document-only')).toEqual({
    'limit.change': 'error',
    'next.blank': 'error',
    'next.other-key': 'error',
    'dir.missing': '404',
    'dir.file': '400',
    'dir.children-root': 'error',
    'sort.order-absent': 'error',
    'sort.order-values': 'asc-only',
    'sort.fields': ['name', 'created'],
    'sort.duplicate': 'error',
    'filter.operators': ['LIKE'],
    'filter.fields': { fields: ['name', 'created'], unknown: 'error' },
    'filter.text-compare': 'error',
    'date.open-start': 'error',
    'date.inverted': 'error',
    'date.format': 'strict-z',
    'create.required': [
      '/title',
      '/pageId',
      '/viewId',
      '/schedule',
      '/schedule/frequency',
      '/schedule/daysToRun',
      '/schedule/hourOfDay',
      '/schedule/minOfHour',
      '/schedule/timezone',
      '/schedule/enabled',
      '/schedule/additionalRecipients',
      '/attachmentInclude',
    ],
    'body.null': 'error',
    'body.unknown': 'error',
    'collections.patch-required': 'error',
    'collections.read-only': 'error',
    'update.omitted': 'error',
    'update.empty': 'error',
    'update.links': 'error',
    'update.body-id': 'error',
    'http.accept': '406',
    'http.content-type-parameters': 'strict',
    'zone.alias': 'reject',
    'recipient.types': ['EMAIL'],
    'recipient.id': 'strict',
    'recipient.duplicates': 'error',
    'http.duplicate-key': 'error',
    'http.null-array': 'error',
    'http.unknown-query': 'error',
  })
})

test('an override wins over the profile, and a later one over an earlier one', () => {
  const { settings } = chooseBehaviours(ledger, {
    profile: 'observed',
    overrides: [
      { id: 'page.last', value: 'absent', setBy: 'standin.yaml' },
      { id: 'limit.max', value: 'clamp:500', setBy: 'standin.yaml' },
      { id: 'limit.max', value: 'error:100', setBy: '--behaviour' },
    ],
  })
  expect(settings['page.last']).toBe('absent')
  expect(settings['limit.max']).toBe('error:100')
  expect(settings['set.unknown']).toBe('403')
})

test('an object is laid over what the answer is by then', () => {
  const overrides = [parseOverride('filter.fields={unknown: ignore}')]
  expect(chooseBehaviours(ledger, { profile: 'document-only', overrides }).settings['filter.fields']).toEqual({
    fields: ['name', 'created'],
    unknown: 'ignore',
  })
  expect(answersWith('filter.max={filters: 5}', 'filter.max={"values": 6}')['filter.max']).toEqual({
    filters: 5,
    values: 6,
    characters: 1024,
  })
})

test.each([
  ['page.last=null', 'page.last', 'null'],
  ['limit.max=clamp:500', 'limit.max', 'clamp:500'],
  ['page.short=every-3', 'page.short', 'every-3'],
  ['next.expiry=ttl:3600', 'next.expiry', 'ttl:3600'],
  ['rate.limit=100 per 60', 'rate.limit', '100 per 60'],
  ['create.status=201', 'create.status', '201'],
  ['sort.max=4', 'sort.max', 4],
  ['sort.fields=name, created', 'sort.fields', ['name', 'created']],
  ['sort.fields=[name, created]', 'sort.fields', ['name', 'created']],
  ['zone.omitted=Europe/Paris', 'zone.omitted', 'Europe/Paris'],
  ['error.body={template: {why: "{detail}"}}', 'error.body', { template: { why: '{detail}' } }],
  [
    'create.defaults={enabled: false}',
    'create.defaults',
    { enabled: false, attachmentInclude: false, additionalRecipients: [] },
  ],
] as const)('the command line can say %s', (text, id, answer) => {
  expect(answersWith(text)[id]).toEqual(answer)
})

test('a configuration file may write a word as the number or the null that it looks like', () => {
  const overrides = [
    { id: 'set.unknown', value: 403, setBy: 'standin.yaml' },
    { id: 'page.last', value: null, setBy: 'standin.yaml' },
  ]
  expect(chooseBehaviours(ledger, { overrides }).settings).toMatchObject({ 'set.unknown': '403', 'page.last': 'null' })
})

test('an unknown profile, id and value are refused together, each with the nearest one', () => {
  const overrides = [
    { id: 'recipient.idd', value: 'strict', setBy: 'standin.yaml' },
    { id: 'page.last', value: 'absnt', setBy: '--behaviour' },
  ]
  expect(startComplaintsOf(() => chooseBehaviours(ledger, { profile: 'documents-only', overrides }))).toEqual([
    'There is no profile `documents-only`: did you mean `document-only`? Profiles: default, document-only, observed.',
    `standin.yaml: There is no behaviour \`recipient.idd\`: did you mean \`recipient.id\`? GET /__mock/behaviours lists all ${ledger.behaviours.length}, and spec/behaviours.yaml describes them.`,
    '--behaviour: page.last: `absnt` is not allowed here: did you mean `absent`? Allowed: absent, null, empty.',
  ])
})

test.each([
  [
    'limit.max=clamp:0',
    /did you mean `clamp:N`\? Allowed: none, clamp:N, error:N \(a capital stands for a whole number/,
  ],
  ['sort.max=1.5', /`1\.5` is not allowed here\. Allowed: a whole number from 1 to 1000\./],
  [
    'sort.fields=nme,created',
    /`nme` is not allowed here: did you mean `name`\? Allowed: at least one of id, path, name/,
  ],
  ['sort.fields=name,name', /`name` stands twice\. Remove one\./],
  ['sort.fields=[]', /Allowed: at least one of/],
  [
    'filter.fields={unknwon: none}',
    /`unknwon` is not allowed here: did you mean `unknown`\? The parts are fields, unknown\./,
  ],
  ['filter.max={filters: 0}', /filters: `0` is not allowed here\. Allowed: a whole number from 1 to 10000\./],
  ['zone.omitted=Mars/Olympus', /`Mars\/Olympus` is not allowed here\. Allowed: the name of a time zone/],
  ['zone.omitted=utc', /Allowed: the name of a time zone/],
  ['error.body={tmplate: 1}', /Allowed: problem, service, or an object with `template`\./],
  ['create.defaults={enabled: 3}', /enabled: `3` is not allowed here\. Allowed: true, false\./],
  ['dir.blank=error', /dir\.blank: `error` is not allowed here\. It has no other setting than `root`\./],
  ['colour=red', /There is no behaviour `colour`\. GET \/__mock\/behaviours lists all \d+, /],
  ['page.last', /`page\.last` is not `id=value`\. Write, for instance, `page\.last=null`\./],
  ['filter.max={filters: ', /filter\.max: `\{filters:` is neither YAML nor JSON\./],
])('the command line cannot say %s', (text, complaint) => {
  expect(complaintsWith(text).join()).toMatch(complaint)
})

test('the chosen answers cannot be changed any more', () => {
  const { settings } = chooseBehaviours(ledger)
  expect(() => Object.assign(settings, { 'page.last': 'null' })).toThrow(TypeError)
  expect(() => Object.assign(settings['filter.max'], { filters: 1 })).toThrow(TypeError)
})

test('an answer with numbers comes apart into a word and its numbers', () => {
  const limit = splitSetting(answersWith('limit.max=clamp:500')['limit.max'])
  expect(limit).toEqual({ word: 'clamp', numbers: [500, 0] })
  expectTypeOf(limit.word).toEqualTypeOf<'none' | 'clamp' | 'error'>()

  expect(splitSetting(answersWith('page.short=every-3')['page.short'])).toEqual({ word: 'every', numbers: [3, 0] })
  const rate = splitSetting(answersWith('rate.limit=100 per 60')['rate.limit'])
  expect(rate).toEqual({ word: 'per', numbers: [100, 60] })
  expectTypeOf(rate.word).toEqualTypeOf<'off' | 'per'>()
  expect(splitSetting('none')).toEqual({ word: 'none', numbers: [0, 0] })
})

test('a request lists the undocumented behaviours that it depends on, each once and in the order of the catalogue', () => {
  const tracker = createBehaviourTracker(chooseBehaviours(ledger))
  expect(tracker.ask('response.headers')).toBe('always')
  expect(tracker.ask('like.case')).toBe('insensitive')
  tracker.note('page.last', 'like.case')
  expect(tracker.used().ids).toEqual(['page.last', 'like.case', 'response.headers'])
})

test('a documented behaviour has a setting, but is not listed', () => {
  const tracker = createBehaviourTracker(chooseBehaviours(ledger))
  expect(tracker.ask('create.status')).toBe('200')
  expect(tracker.used().ids).toEqual([])
})

test('an answer can be read without leaning on it, and one request knows nothing of another', () => {
  const behaviours = chooseBehaviours(ledger)
  createBehaviourTracker(behaviours).note('page.last')
  const tracker = createBehaviourTracker(behaviours)
  expect(tracker.settings['page.last']).toBe('absent')
  expect(tracker.used().ids).toEqual([])
})

test('every behaviour but the documented ones can be listed', () => {
  const tracker = createBehaviourTracker(chooseBehaviours(ledger))
  tracker.note(...ledger.behaviours.map((row) => row.id as keyof BehaviourSettings))
  expect(tracker.used().ids).toEqual(ledger.behaviours.filter((row) => row.basis !== 'documented').map((row) => row.id))
})
