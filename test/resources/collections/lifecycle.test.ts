import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readContract } from '../../../checks/public-documents/read-contract.ts'
import { createSession } from '../../../checks/lifecycle/session.ts'
import { isInferred, type Life, walkDocument } from '../../../checks/lifecycle/walk.ts'
import { createStandin } from '../../../src/index.ts'

/** Documents of other people, as npm packages ship them, and of this repository. */
const DOCUMENTS = [
  'scripts/contract-tools/node_modules/@readme/oas-examples/3.0/json/petstore.json',
  'scripts/contract-tools/node_modules/@readme/oas-examples/3.0/json/petstore-expanded.json',
  'scripts/contract-tools/node_modules/@readme/oas-examples/3.1/json/petstore.json',
  'scripts/contract-tools/node_modules/@readme/oas-examples/3.1/json/train-travel.json',
  'examples/shop/contract.yaml',
  'test/resources/user-operations/orders.yaml',
]

/** Creates, reads, lists, changes and deletes an item of each collection, as `checks/lifecycle/check.ts` does with many documents. */
test.each(DOCUMENTS)('items live as the document says: %s', { timeout: 30_000 }, async (name) => {
  const file = fileURLToPath(new URL(`../../../${name}`, import.meta.url))
  const server = createServer(createStandin({ contract: file }).app).listen(0, '127.0.0.1')
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const inferred: Life[] = []
  for await (const life of walkDocument(createSession(await readContract(file), base)))
    if (isInferred(life)) inferred.push(life)
  const notPassed = inferred.flatMap(({ collection, steps }) =>
    steps
      .filter(({ verdict }) => !['passed', 'skipped'].includes(verdict))
      .map((step) => ({ path: collection.path, ...step })),
  )
  expect(inferred).not.toHaveLength(0)
  expect(notPassed).toEqual([])
})
