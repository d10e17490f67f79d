import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, rowsOf, SEARCH, KEY_HEADER, type Tester } from '../support/tester.ts'
import { UUID_SET, TREE } from '../support/tree.ts'

describeBehaviour(
  'set.unknown',
  {
    404: async (tester) => unknownSetIsRefused(tester, 404),
    403: async (tester) => unknownSetIsRefused(tester, 403),
    400: async (tester) => unknownSetIsRefused(tester, 400),
    empty: async ({ search }) => {
      const page = await search({ set: 'no such set' })
      expect(page.status).toBe(200)
      expect(page.body).toEqual({ files: [], pageContext: {} })
      expect(rowsOf(page)).toContain('set.unknown')
    },
  },
  TREE,
)

async function unknownSetIsRefused({ search }: Tester, status: number): Promise<void> {
  for (const set of [
    'no such set',
    'TINY',
    ' tiny',
    '__proto__',
    'constructor',
    'ünïcode 😀',
    'tiny/',
    '%',
    '\u{10ffff}',
    'x'.repeat(5000),
  ]) {
    const refused = await search({ set })
    expect(refused.status, set).toBe(status)
    expect(complaintsOf(refused)).toEqual(['fileSetId set.unknown'])
    expect(rowsOf(refused)).toContain('set.unknown')
  }
  const page = await search()
  expect(page.status).toBe(200)
  expect(rowsOf(page)).not.toContain('set.unknown')
}

describeBehaviour(
  'set.id-form',
  {
    any: async ({ search }) => {
      expect((await search()).status).toBe(200)
      expect((await search({ set: UUID_SET })).status).toBe(200)
      expect(complaintsOf(await search({ set: 'abc' }))).toEqual(['fileSetId set.unknown'])
    },
    'uuid-or-400': async ({ search }) => {
      for (const set of [
        'tiny',
        'abc',
        UUID_SET.slice(1),
        `${UUID_SET}0`,
        UUID_SET.replaceAll('-', ''),
        `{${UUID_SET}}`,
        `${UUID_SET}\n`,
      ]) {
        const refused = await search({ set })
        expect(refused.status, set).toBe(400)
        expect(complaintsOf(refused), set).toEqual(['fileSetId set.id-form'])
      }
      expect((await search({ set: UUID_SET })).status).toBe(200)
      expect((await search({ set: '00000000-0000-0000-0000-000000000000' })).status).toBe(404)
    },
  },
  TREE,
)

test('any text can be the id of a file set', async () => {
  const ids = ['a/b', 'ünïcode 😀', '%2F', '0', 'null', ' ', '?next=#']
  const { paths } = createTester({
    fixtures: [{ fileSets: ids.map((id, index) => ({ id, files: [{ path: `${index}.txt` }] })) }],
  })
  for (const [index, id] of ids.entries()) {
    expect(await paths({ set: id }), id).toEqual([`${index}.txt`])
  }
})

test('no spelling of a file set makes the server fail', async () => {
  const tester = createTester(TREE)
  for (const set of [
    '%ED%A0%80',
    '%',
    '%ZZ',
    '%00',
    '%2F',
    '%C0%AF',
    '%0D%0A',
    '%E2%80%A8',
    '..%2F..',
    'x'.repeat(8000),
  ]) {
    const answer = await tester
      .request()
      .post(`${SEARCH}/${set}/files/search`)
      .set({ [KEY_HEADER]: 'key', 'Content-Type': 'application/json' })
      .send('{}')
    expect([400, 404], set).toContain(answer.status)
  }
})
