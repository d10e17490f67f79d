import { expect, test } from 'vitest'
import { CATALOG, recover } from '../../../checks/calibrate/recover.ts'
import { calibrateFrom } from '../../../src/truth/calibrate/calibrate.ts'
import type { RecordedExchange } from '../../../src/truth/recordings/recorded-exchange.ts'
import { sample } from '../../support/cases.ts'

/** It would take waiting, or changing files. */
const NEVER = ['next.expiry', 'page.changes', 'search.lag', 'file.pending']

/** What a file set of a few hundred entries with three fraction digits does not show. */
const OPEN: Readonly<Record<string, readonly unknown[]>> = {
  'limit.max': ['none'],
  'page.window': ['none'],
  'dir.entries': ['never'],
  'file.created-precision': ['millis', 'micros', 'nanos'],
}

/** Where an option has a number: some that the file set shows. */
const NUMBERS: Readonly<Record<string, readonly unknown[]>> = {
  'page.short': ['never', 'every-2', 'every-9', 'random'],
  'limit.max': ['none', 'clamp:60', 'clamp:101', 'error:3', 'error:99', 'error:1000'],
  'page.window': ['none', '60', '101'],
}

/** What hides others, or is hidden by them. */
const APART = [...Object.keys(NUMBERS), 'next.content', 'set.id-form', 'search.visible', 'dir.entries', 'dir.implied']

const SECTIONS = ['Pagination and cursor', 'Directories and file sets']
const behaviours = CATALOG.behaviours.filter(({ id, section }) => SECTIONS.includes(section) && !NEVER.includes(id))
const probes = new Set(behaviours.map(({ id }) => id))

function optionsOf({ id, options, default: usual }: (typeof behaviours)[number]): readonly unknown[] {
  return NUMBERS[id] ?? (options && 'choice' in options ? options.choice : [usual])
}

const apart = behaviours
  .filter(({ id }) => APART.includes(id))
  .flatMap((behaviour) => optionsOf(behaviour).map((value) => ({ [behaviour.id]: value })))

/** The first options of all others, then the second ones, until every option had its turn. */
const together = [0, 1, 2, 3].map((turn) =>
  Object.fromEntries(
    behaviours
      .filter(({ id }) => !APART.includes(id))
      .map((behaviour) => [behaviour.id, optionsOf(behaviour)[turn % optionsOf(behaviour).length]]),
  ),
)

test.for([...sample(apart, 6), ...sample(together, 2)])('recovers each option: %j', async (settings) => {
  const { calibration, wrong } = await recover(1, { settings, probes })
  expect(wrong).toEqual([])
  for (const [id, value] of Object.entries(settings))
    expect(calibration.results.find((one) => one.id === id)).toMatchObject({
      id,
      finding: OPEN[id]?.includes(value) === true ? { kind: 'open' } : { kind: 'settled', value },
    })
})

const SEARCH = '/api/files/v1/filesets/tiny/files/search'

interface Sent {
  readonly query?: string
  readonly key?: string
  readonly at?: number
}

/** A search as a browser recorded it; `files` are paths, and a number is the status of a refusal. */
function exchange(
  { query = '', key = 'a', at = 0 }: Sent,
  files: readonly string[] | number,
  next?: string,
): RecordedExchange {
  const page = typeof files !== 'number' && { files: files.map((path) => ({ path })), pageContext: { next } }
  return {
    source: `entry ${query}`,
    at,
    milliseconds: 5,
    request: {
      method: 'POST',
      url: `${SEARCH}${query}`,
      headers: [
        { name: 'Key', value: key },
        { name: 'Content-Type', value: 'application/json' },
      ],
      body: '{}',
    },
    response: {
      status: typeof files === 'number' ? files : 200,
      headers: [],
      body: JSON.stringify(page || {}),
      isWhole: true,
    },
  }
}

function concluded(exchanges: readonly RecordedExchange[], id: string) {
  const { results } = calibrateFrom(exchanges, { catalog: CATALOG, keyHeader: 'Key' })
  const finding = results.find((one) => one.id === id)?.finding
  return finding?.kind === 'settled' ? finding.value : undefined
}

/** A walk of three pages, and another user's first page. */
const walk = [
  exchange({ query: '?limit=2' }, ['a', 'b'], 'AQtoken-1'),
  exchange({ query: '?limit=2&next=AQtoken-1' }, ['c', 'd'], 'AQtoken-2'),
  exchange({ query: '?limit=2&next=AQtoken-2' }, ['e']),
  exchange({ key: 'b' }, ['a', 'b', 'c', 'd', 'e']),
]

test('a token that is refused for one difference shows what the difference does', () => {
  expect(concluded([...walk, exchange({ query: '?limit=1&next=AQtoken-1' }, 400)], 'limit.change')).toBe('error')
  const byAnother = exchange({ query: '?limit=2&next=AQtoken-1', key: 'b' }, 400)
  expect(concluded([...walk, byAnother], 'next.other-key')).toBe('error')
})

test('a token that is refused settles nothing where there are two reasons, or it is older than those that were accepted', () => {
  const byAnother = exchange({ query: '?limit=1&next=AQtoken-1', key: 'b' }, 400)
  const late = exchange({ query: '?limit=1&next=AQtoken-1', at: 60_000 }, 400)
  for (const refused of [byAnother, late])
    for (const id of ['limit.change', 'next.other-key', 'page.window', 'next.expiry'])
      expect(concluded([...walk, refused], id)).toBeUndefined()
})

test('a walk that is refused where it should go on shows how deep walks may be, unless its token may be too old', () => {
  const [first, second] = walk as [RecordedExchange, RecordedExchange]
  const next = { query: '?limit=2&next=AQtoken-2' }
  expect(concluded([first, second, exchange(next, 400)], 'page.window')).toBe('4')
  expect(concluded([first, second, exchange({ ...next, at: 60_000 }, 400)], 'page.window')).toBeUndefined()
})

test('an empty directory that no list shows is not taken for one that does not exist', () => {
  const listing = exchange({}, ['reports/a.txt'])
  expect(concluded([listing, exchange({ query: '?directoryPath=empty' }, [])], 'dir.missing')).toBeUndefined()
  expect(concluded([listing, exchange({ query: '?directoryPath=empty' }, 404)], 'dir.missing')).toBeUndefined()
  const invented = exchange({ query: '?directoryPath=no-such-directory-4f1c' }, 404)
  expect(concluded([listing, invented], 'dir.missing')).toBe('404')
})

test('pages that end in different ways settle nothing', () => {
  const others = walk.map((one) => ({
    ...one,
    response: { ...one.response, body: '{"files":[],"pageContext":{"next":null}}' },
  }))
  expect(concluded(walk, 'page.last')).toBe('absent')
  expect(concluded([...walk, ...others], 'page.last')).toBeUndefined()
})

test('a list of children that was asked for in capitals is no recursive list, and a list of any length is read', () => {
  const page = exchange({ query: '?immediateChildren=TRUE' }, ['reports'])
  const body = JSON.stringify({ files: [{ path: 'reports', fileType: 'DIRECTORY' }], pageContext: {} })
  const shown = { ...page, response: { ...page.response, body } }
  expect(concluded([shown], 'dir.entries')).toBeUndefined()
  const value = Array.from({ length: 300_000 }, () => 'x')
  const many = {
    ...page,
    request: { ...page.request, body: JSON.stringify({ filters: [{ field: 'name', operator: 'IN', value }] }) },
  }
  expect(concluded([shown, many], 'page.last')).toBe('absent')
})
