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

test('the error of an unknown path of the control API lists the known ones as they are requested', async () => {
  const response = await createTester().request().get('/__mock/zzzzzzz')
  expect((response.body as { detail: string }).detail).toContain('Known: /__mock/history, /__mock/replay, ')
})
