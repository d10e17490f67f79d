import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { packagedPath } from '../../src/base/formats/source-file.ts'
import { runCommand } from '../support/command.ts'

const contract = packagedPath('spec/openapi.yaml')

test.for([
  ['diff', contract, contract],
  ['pact', '--consumer', 'shop'],
])('%s says that nothing was sent yet', async (command) => {
  const standin = createStandin()
  onTestFinished(() => standin.stop())
  const { ended, stderr } = runCommand([...command, '--url', await standin.start()])
  expect(await ended).toBe(1)
  expect(stderr()).toBe(
    'standin: The journal of the sandbox default has no requests. Run your tests first, or name another --sandbox.\n',
  )
})
