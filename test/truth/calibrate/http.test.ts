import { expect, test } from 'vitest'
import { recover } from '../../../checks/calibrate/recover.ts'
import { sample, takesAll } from '../../support/cases.ts'

const SETTINGS = [
  ['auth.refused', '401'],
  ['auth.refused', '403'],
  ['auth.keys', 'any'],
  ['auth.keys', 'listed'],
  ['auth.keys', 'off'],
  ['http.media-type', 'strict'],
  ['http.media-type', 'lenient'],
  ['http.content-type-parameters', 'ignore'],
  ['http.content-type-parameters', 'strict'],
  ['http.accept', 'ignore'],
  ['http.accept', '406'],
  ['http.compression', 'off'],
  ['http.compression', 'gzip'],
  ['http.duplicate-key', 'last'],
  ['http.duplicate-key', 'error'],
  ['http.empty-body', 'as-empty'],
  ['http.empty-body', 'error'],
  ['http.null-array', 'as-absent'],
  ['http.null-array', 'error'],
  ['http.size', 1_048_576],
  ['http.size', 5000],
  ['http.depth', 32],
  ['http.depth', 4],
  ['http.depth', 1000],
  ['http.path', 'strict'],
  ['http.path', 'tolerant'],
  ['http.encoding', 'decode'],
  ['http.encoding', 'literal'],
  ['http.repeated', 'error'],
  ['http.repeated', 'first'],
  ['http.repeated', 'last'],
  ['http.unknown-query', 'ignore'],
  ['http.unknown-query', 'error'],
  ['http.boolean', 'strict'],
  ['http.boolean', 'any-case'],
  ['error.body', 'problem'],
  ['error.body', 'service'],
  ['error.invalid-status', '400'],
  ['error.invalid-status', '422'],
  ['error.several', 'all'],
  ['error.several', 'first'],
  ['error.bad-escape', 'error'],
  ['error.bad-escape', 'literal'],
  ['cors', 'local'],
  ['cors', 'any'],
  // Last, since it takes bodies of megabytes.
  ['http.size', 1_500_000],
] as const

/** What a service of each setting is found to have; the other behaviours are at their defaults. */
test.for(takesAll ? SETTINGS : sample(SETTINGS.slice(0, -1), 3))('%s: %s', async ([id, value]) => {
  const { calibration } = await recover(7, { settings: { [id]: value }, probes: new Set(NEEDED[id] ?? [id]) })
  expect(calibration.results.find((one) => one.id === id)?.finding).toMatchObject({ kind: 'settled', value })
})

/** Other behaviours that a conclusion rests on. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'http.content-type-parameters': ['http.media-type', 'http.content-type-parameters'],
}

test('what has one setting is confirmed', async () => {
  // The order shows where requests without a key are refused.
  const ids = ['http.order', 'http.json', 'http.method', 'http.options', 'error.unknown-path', 'response.headers']
  const { calibration } = await recover(7, { settings: {}, probes: new Set(['auth.refused', ...ids]) })
  const open = calibration.results.filter(({ id, finding }) => ids.includes(id) && finding.kind === 'open')
  expect(calibration.results.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  expect(open).toEqual([])
})

test('an error body of its own stays open, and so does a service that serves everyone', async () => {
  const { calibration } = await recover(7, {
    settings: { 'error.body': { template: { error: '{detail}' } }, 'auth.keys': 'off' },
    probes: new Set(['auth.refused', 'error.body']),
  })
  const reasons = calibration.results.map(({ id, finding }) => [id, finding.kind === 'open' ? finding.reason : ''])
  expect(Object.fromEntries(reasons)).toMatchObject({
    'error.body': 'errors have a body of their own: write it as error.body, an object with `template`',
    'auth.refused': 'requests without a key are served',
  })
})
