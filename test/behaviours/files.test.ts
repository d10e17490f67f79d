import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { createTester, type Tester } from '../support/tester.ts'

interface File {
  readonly path: string
  readonly fileType: string
  readonly hash: string
  readonly hashAlgorithm: string
  readonly downloadUrl: string
  readonly connectorKey: string | null
  readonly indexStatus: string | null
}

const sets = {
  files: 60,
  fixtures: [
    {
      fileSets: [
        { id: 'tiny', files: ['a.png', 'b.txt', 'c.pdf', 'd.bin', 'e.csv', 'f.md'].map((path) => ({ path })) },
      ],
    },
  ],
}

/** The files of a generated set and of a fixture. */
async function filesOf({ search }: Tester): Promise<File[]> {
  const all: File[] = []
  for (const set of ['demo', 'tiny']) {
    const body: unknown = (await search({ set, query: { limit: 1000 } })).body
    all.push(...(body as { files: File[] }).files.filter(({ fileType }) => fileType !== 'DIRECTORY'))
  }
  return all
}

const valuesOf = (files: readonly File[], field: keyof File) =>
  [...new Set(files.map((file) => file[field]))].toSorted()

/** A filter finds what a page shows. */
async function expectFound(
  { search }: Tester,
  field: keyof File,
  value: string,
  files: readonly File[],
): Promise<void> {
  const body = { filters: [{ field, operator: 'EQUALS', value: [value] }] }
  let found = 0
  for (const set of ['demo', 'tiny'])
    found += ((await search({ set, query: { limit: 1000 }, body })).body as { files: File[] }).files.length
  expect(found).toBe(files.filter((file) => file[field] === value).length)
  expect(found).toBeGreaterThan(0)
}

describeBehaviour(
  'file.types',
  {
    default: async (tester) => {
      const files = await filesOf(tester)
      expect(valuesOf(files, 'fileType')).toEqual(expect.arrayContaining(['DOCUMENT', 'IMAGE', 'OTHER', 'TEXT']))
      expect(valuesOf(files, 'hashAlgorithm')).toEqual(['SHA_256_HEX'])
    },
    '{fileTypes: [TEXT, OTHER], hashAlgorithms: [SHA_256_HEX, MD5_HEX]}': async (tester) => {
      const files = await filesOf(tester)
      expect(valuesOf(files, 'fileType')).toEqual(['OTHER', 'TEXT'])
      expect(valuesOf(files, 'hashAlgorithm')).toEqual(['MD5_HEX', 'SHA_256_HEX'])
      for (const { hash, hashAlgorithm } of files) expect(hash).toHaveLength(hashAlgorithm === 'MD5_HEX' ? 32 : 64)
      await expectFound(tester, 'hashAlgorithm', 'MD5_HEX', files)
      await expectFound(tester, 'fileType', 'OTHER', files)
    },
  },
  sets,
)

describeBehaviour(
  'file.index',
  {
    null: async (tester) => {
      const files = await filesOf(tester)
      for (const field of ['indexStatus', 'connectorKey'] as const) expect(valuesOf(files, field)).toEqual([null])
    },
    varied: async (tester) => {
      const files = await filesOf(tester)
      expect(valuesOf(files, 'indexStatus')).toEqual(['FAILED', 'INDEXED', 'PENDING', null])
      expect(valuesOf(files, 'connectorKey')).toEqual(['gdrive', null])
      await expectFound(tester, 'indexStatus', 'PENDING', files)
    },
  },
  sets,
)

describeBehaviour(
  'file.download-url',
  {
    empty: async (tester) => {
      expect(valuesOf(await filesOf(tester), 'downloadUrl')).toEqual([''])
    },
    url: async (tester) => {
      const files = await filesOf(tester)
      for (const { downloadUrl } of files) expect(downloadUrl).toMatch(/^https:\/\/files\.example\/(demo|tiny)\/.+/)
      await expectFound(tester, 'downloadUrl', files[0]?.downloadUrl ?? '', files)
    },
  },
  sets,
)

test('an exported state keeps how its files were made, also where other settings hold', async () => {
  const behaviours = { 'file.index': 'varied', 'file.download-url': 'url', 'file.types': { fileTypes: ['OTHER'] } }
  const tester = createTester({ ...sets, behaviours })
  const files = await filesOf(tester)
  const copy = createTester({ files: 3 })
  const state = (await tester.request().get('/__mock/state')).text
  const put = await copy.request().put('/__mock/state').set('Content-Type', 'application/json').send(state)
  expect(put.status, put.text).toBe(200)
  expect(await filesOf(copy)).toEqual(files)
})
