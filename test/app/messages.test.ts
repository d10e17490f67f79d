import { expect, test } from 'vitest'
import { createTester, KEY_HEADER, SEARCH } from '../support/tester.ts'

/** The sentence that a wrong request to the service or to the control API is refused with. */
test.each([
  ['post', `${SEARCH}/%ZZ/files/search`, {}, '"%ZZ" is not valid percent-encoded UTF-8. Write %25 for a percent sign.'],
  ['post', '/__mock/faults', { kind: 'status', status: 9 }, '/status: expected at least 200, got 9.'],
  ['post', '/__mock/faults', { kind: 'reset', chance: 0 }, '/chance: expected more than 0, got 0.'],
  ['post', '/__mock/faults', { kind: 'reset', chance: 2 }, '/chance: expected at most 1, got 2.'],
  ['post', '/__mock/sandboxes', { name: 'default' }, 'There is a sandbox default already. Take another name.'],
  [
    'delete',
    '/__mock/sandboxes/default',
    {},
    'The sandbox default cannot be deleted: requests that name no sandbox use it. Reset it instead.',
  ],
  [
    'put',
    '/__mock/clock?sandbox=a%20b',
    { mode: 'frozen' },
    'The name of a sandbox is 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, not beginning with a dot; got "a b". In a key it is what follows the last @.',
  ],
] as const)('%s %s with %j is refused in words', async (method, path, body, detail) => {
  const response = await createTester().request()[method](path).set(KEY_HEADER, 'key').send(body)
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.body).toMatchObject({ detail })
})

test('the error of an unknown path of the control API says which is meant, or where they are listed', async () => {
  const { request } = createTester()
  const detailOf = async (path: string) => ((await request().get(path)).body as { detail: string }).detail
  expect(await detailOf('/__mock/journl')).toBe(
    'The control API has no path /__mock/journl. Did you mean /__mock/journal?',
  )
  const listed = 'The control API has no path /__mock/zzzzzzz. GET /__mock/control.openapi.yaml lists its paths.'
  expect(await detailOf('/__mock/zzzzzzz')).toBe(listed)
  expect((await request().get('/__mock/control.openapi.yaml')).status).toBe(200)
})
