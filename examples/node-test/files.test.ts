import assert from 'node:assert/strict'
import test from 'node:test'
import { assertVerified, useStandin } from 'standin/node-test'
import { findFiles } from '../vitest/find-files.ts'

void test('finds the budgets', async (t) => {
  const { url, key } = await useStandin(t)
  assert.equal((await findFiles(url, key, 'budget')).length, 12)
})

void test('walks every page once, also when one fails', async (t) => {
  const { url, key, control } = await useStandin(t, { clock: '2026-03-05T14:30:00Z' })
  await control.armFaults({ kind: 'status', status: 503, match: { page: 3 }, times: 1 })
  await findFiles(url, key, 'budget')
  await assertVerified(control, [{ walkedEveryPageOnce: true }, { match: { status: 503 }, exactly: 1 }])
})
