import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import {
  complaintsOf,
  createTester,
  KEY_HEADER,
  nextOf,
  NOW,
  pathsOf,
  rowsOf,
  startComplaintsOf,
  type Tester,
} from '../support/tester.ts'
import { tokenOf } from '../support/walk.ts'

const SECOND = 1000
const files = (...paths: string[]) => ({
  fixtures: [{ fileSets: [{ id: 'tiny', files: paths.map((path) => ({ path })) }] }],
})
const add = ({ standin }: Tester, ...paths: string[]) =>
  standin.addFiles(
    'tiny',
    paths.map((path) => ({ path, size: 7 })),
  )
const bySomeone = (key: string) => ({ headers: { [KEY_HEADER]: key } })

describeBehaviour(
  'search.lag',
  {
    none: async (tester) => {
      expect(rowsOf(await tester.search())).not.toContain('search.lag')
      add(tester, 'b')
      const after = await tester.search()
      expect(pathsOf(after)).toEqual(['a', 'b'])
      expect(rowsOf(after)).toContain('search.lag')
    },
    PT1M: async (tester) => {
      add(tester, 'b')
      tester.moveTo(NOW + 30 * SECOND)
      tester.standin.removeFiles('tiny', ['a'])
      const early = await tester.search()
      expect(pathsOf(early)).toEqual(['a'])
      expect(rowsOf(early)).toContain('search.lag')
      tester.moveTo(NOW + 60 * SECOND)
      expect(await tester.paths()).toEqual(['a', 'b'])
      tester.moveTo(NOW + 90 * SECOND)
      expect(await tester.paths()).toEqual(['b'])
    },
    5: async (tester) => {
      // Every change is seen late, however many there are.
      for (let change = 0; change < 40; change++) {
        tester.moveTo(NOW + change * 100)
        add(tester, `new-${change}`)
      }
      expect(await tester.paths()).toEqual(['a'])
      tester.moveTo(NOW + 5 * SECOND + 1950)
      expect(await tester.paths()).toHaveLength(21)
    },
  },
  files('a'),
)

test('a lag that is changed while it runs applies to the changes from then on', async () => {
  const tester = createTester(files('a'))
  add(tester, 'b')
  expect(await tester.paths()).toEqual(['a', 'b'])
  const set = await tester.request().put('/__mock/behaviours').send({ 'search.lag': 'PT10S' })
  expect(set.status).toBe(200)
  expect(await tester.paths()).toEqual(['a'])
  tester.moveTo(NOW + 10 * SECOND)
  expect(await tester.paths()).toEqual(['a', 'b'])
})

describeBehaviour(
  'file.pending',
  {
    complete: async (tester) => {
      add(tester, 'b')
      const page = await tester.search()
      expect(page.body).toHaveProperty('files.1.size', 7)
      expect(rowsOf(page)).toContain('file.pending')
    },
    'null for PT30S': async (tester) => {
      add(tester, 'b.txt')
      const pending = { path: 'b.txt', size: null, hash: null, contentType: null, fileType: 'TEXT' }
      const page = await tester.search()
      expect((page.body as { files: object[] }).files[1]).toMatchObject(pending)
      expect((page.body as { files: object[] }).files[0]).toMatchObject({ path: 'a', size: 0 })
      expect(rowsOf(page)).toContain('file.pending')
      const bySize = { filters: [{ field: 'size', operator: 'IS_NULL' }] }
      expect(await tester.paths({ body: bySize })).toEqual(['b.txt'])
      tester.moveTo(NOW + 30 * SECOND)
      expect((await tester.search()).body).toHaveProperty('files.1.size', 7)
    },
    'null for 5 seconds': async (tester) => {
      add(tester, 'b')
      tester.moveTo(NOW + 4999)
      expect((await tester.search()).body).toHaveProperty('files.1.size', null)
      tester.moveTo(NOW + 5000)
      expect((await tester.search()).body).toHaveProperty('files.1.size', 7)
    },
  },
  files('a'),
)

const shared = {
  fixtures: [
    {
      fileSets: [
        {
          id: 'tiny',
          files: [
            { path: 'a/one.txt', createdBy: 7 },
            { path: 'a/b/two.txt', createdBy: 8 },
            { path: 'c/three.txt', createdBy: 8 },
          ],
        },
      ],
    },
  ],
  keys: [
    { key: 'seven', userId: 7, directories: { tiny: ['/a/b/'] } },
    { key: 'eight', userId: 8, directories: { tiny: ['/'] } },
    { key: 'nine', userId: 9 },
  ],
}

describeBehaviour(
  'search.visible',
  {
    all: async ({ search }) => {
      const page = await search(bySomeone('nine'))
      expect(pathsOf(page)).toEqual(['a', 'a/b', 'a/b/two.txt', 'a/one.txt', 'c', 'c/three.txt'])
      expect(rowsOf(page)).toContain('search.visible')
    },
    own: async ({ search, paths }) => {
      const page = await search(bySomeone('seven'))
      expect(pathsOf(page)).toEqual(['a', 'a/one.txt'])
      expect(rowsOf(page)).toContain('search.visible')
      expect(await paths(bySomeone('eight'))).toEqual(['a', 'a/b', 'a/b/two.txt', 'c', 'c/three.txt'])
      expect(await paths(bySomeone('nine'))).toEqual([])
    },
    listed: async ({ paths }) => {
      expect(await paths(bySomeone('seven'))).toEqual(['a', 'a/b', 'a/b/two.txt'])
      expect(await paths({ ...bySomeone('seven'), query: { directoryPath: 'c' } })).toEqual([])
      expect(await paths(bySomeone('eight'))).toHaveLength(6)
      expect(await paths(bySomeone('nine'))).toEqual([])
    },
  },
  shared,
)

test('a key sees its own files also when they change, and on every page', async () => {
  const tester = createTester({ ...shared, behaviours: { 'search.visible': 'own' } })
  const next = await tokenOf(tester, { ...bySomeone('eight'), query: { limit: 3 } })
  tester.standin.addFiles('tiny', [
    { path: 'd.txt', createdBy: 8 },
    { path: 'e.txt', createdBy: 7 },
  ])
  expect(await tester.paths({ ...bySomeone('eight'), query: { limit: 3, next } })).toEqual([
    'c',
    'c/three.txt',
    'd.txt',
  ])
})

test('a setting that needs a list is refused without one, at start and while it runs', async () => {
  const behaviours = { 'search.visible': 'listed' }
  expect(startComplaintsOf(() => createTester({ behaviours }))).toEqual([
    'search.visible: `listed` needs a list of directories of file sets: give at least one key `directories` in `keys`.',
  ])
  const tester = createTester()
  const refused = await tester.request().put('/__mock/behaviours').send(behaviours)
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('`directories` in `keys`')
  const wrong = [{ key: 'a', directories: { tiny: 'a/b' } }]
  expect(startComplaintsOf(() => createTester({ keys: wrong as never }))[0]).toContain('`directories` must hold a list')
})

const ABC = files('a', 'b', 'c')

describeBehaviour(
  'next.other-key',
  {
    accept: async (tester) => {
      const next = await tokenOf(tester, { query: { limit: 2 } })
      const page = await tester.search({ ...bySomeone('another'), query: { limit: 2, next } })
      expect(pathsOf(page)).toEqual(['c'])
      expect(rowsOf(page)).toContain('next.other-key')
    },
    error: async (tester) => {
      const first = await tester.search({ query: { limit: 2 } })
      const query = { limit: 2, next: nextOf(first) ?? '' }
      const refused = await tester.search({ ...bySomeone('another'), query })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['next next.other-key'])
      expect(rowsOf(refused)).toContain('next.other-key')
      expect(await tester.paths({ query })).toEqual(['c'])
    },
  },
  ABC,
)

test('a token of a key that expires too is refused for what is wrong with it', async () => {
  const tester = createTester({ ...ABC, behaviours: { 'next.other-key': 'error', 'next.expiry': 'ttl:60' } })
  const next = await tokenOf(tester, { query: { limit: 2 } })
  const refused = await tester.search({ ...bySomeone('another'), query: { limit: 2, next } })
  expect(complaintsOf(refused)).toEqual(['next next.other-key'])
  tester.moveTo(NOW + 60 * SECOND)
  expect(complaintsOf(await tester.search({ query: { limit: 2, next } }))).toEqual(['next next.expiry'])
})
