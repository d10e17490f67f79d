import { expect } from 'vitest'
import { test } from 'standin/vitest'
import { findFiles } from './find-files.ts'

test('finds the budgets', async ({ url, key }) => {
  expect(await findFiles(url, key, 'budget')).toHaveLength(12)
})
