import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createControlClient, createStandin, type StandinOptions } from '../../src/index.ts'
import { takesAll } from '../support/cases.ts'
import { createDirectory } from '../support/command.ts'

const PROGRAM = fileURLToPath(new URL('verify-pact.ts', import.meta.url))
const PACT = fileURLToPath(new URL('report-desk.pact.json', import.meta.url))

interface Verification {
  readonly exitCode: number
  /** The output of the verifier. */
  readonly text: string
  /** Sandboxes that were left. */
  readonly sandboxes: readonly string[]
}

/** Verifies a server against a pact, in its own process, since the verifier is a native library that prints as it likes. */
async function verify(options: StandinOptions = {}, pact = PACT): Promise<Verification> {
  const standin = createStandin(options)
  const url = await standin.start()
  try {
    const env = { PATH: process.env.PATH, PACT_DO_NOT_TRACK: 'true' }
    const told = await new Promise<Pick<Verification, 'exitCode' | 'text'>>((resolve) => {
      const child = execFile(process.execPath, [PROGRAM, pact, url], { env }, (_, stdout, stderr) =>
        resolve({ exitCode: child.exitCode ?? -1, text: stripVTControlCharacters(stdout + stderr) }),
      )
    })
    const { sandboxes } = await createControlClient({ url }).listSandboxes()
    return { ...told, sandboxes: sandboxes.map(({ name }) => name) }
  } finally {
    await standin.stop()
  }
}

test('a server honours a pact, and each interaction has its own sandbox', async () => {
  const { exitCode, text, sandboxes } = await verify()
  expect(exitCode, text).toBe(0)
  expect(text.match(/has a matching body \(OK\)/g)).toHaveLength(9)
  expect(sandboxes).toEqual(['default'])
})

// That the checks above would fail: each run takes seconds, so it is one of the campaigns.
test.runIf(takesAll)(
  'a server with other responses breaks the pact, and so does a pact that promises something else',
  async () => {
    const text = readFileSync(PACT, 'utf8')
    const directory = createDirectory({
      'wrong.json': text.replaceAll('"nextRunDate": 1773059400000', '"nextRunDate": 1773059400001'),
      'unknown.json': text.replaceAll('"a new world"', '"another planet"'),
    })
    try {
      const wrong = await verify({ behaviours: { 'update.unknown-id': '400' } }, join(directory.path, 'wrong.json'))
      expect(wrong.exitCode).toBe(1)
      expect(wrong.text).toContain('expected 404 but was 400')
      expect(wrong.text).toContain('Expected 1773059400000 (Integer) to be equal to 1773059400001 (Integer)')
      expect(wrong.text).toContain('There were 3 pact failures')
      const unknown = await verify({}, join(directory.path, 'unknown.json'))
      expect(unknown.exitCode).toBe(1)
      expect(unknown.text).toContain('no state is known as another planet')
    } finally {
      directory.remove()
    }
  },
)
