import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { page } from '../../support/page-library.ts'
import { collectResponses } from '../../support/random/same-requests.ts'

const contracts = {
  shop: readFileSync('examples/shop/contract.yaml', 'utf8'),
  'full-service': readFileSync('examples/full-service/contract.yaml', 'utf8'),
}

test('with the same seed, clock and requests, a page gives the same responses as Node', async () => {
  const [inNode, inPage] = [
    await collectResponses(createStandin, contracts),
    await collectResponses(page.createStandin, contracts),
  ]
  expect(inNode.length).toBeGreaterThan(100)
  expect(inPage).toHaveLength(inNode.length)
  for (const [index, response] of inPage.entries()) expect(response).toEqual(inNode[index])
})
