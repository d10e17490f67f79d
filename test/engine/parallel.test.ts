import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { KEY_HEADER, NOW, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'
import { cases } from '../support/cases.ts'

const OPERATIONS = cases(60, 36)
const TESTS = cases(64, 12)
/** So many different tests; the others repeat them. */
const SCRIPTS = 8

/** What the requests of one test were answered, put together: statuses, bodies, request ids and tokens. */
async function runScript(url: string, script: number, sandbox: string): Promise<string> {
  const digest = createHash('sha256')
  const headers = { [KEY_HEADER]: `any@${sandbox}`, 'Content-Type': 'application/json' }
  const send = async (method: string, path: string, body: unknown) => {
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    const text = await response.text()
    digest.update(`${response.status} ${response.headers.get('x-request-id')} ${text.replaceAll(sandbox, 'NAME')}\n`)
    return text
  }
  let next: string | undefined
  for (let operation = 0; operation < OPERATIONS; operation++) {
    const number = operation * 7 + script * 13
    switch (number % 6) {
      case 0:
        await send('POST', SCHEDULES, weekly({ title: `${script}/${operation}` }, { minOfHour: number % 60 }))
        break
      case 1:
        await send('PUT', `${SCHEDULES}/${1 + (number % 20)}`, { title: `changed by ${operation}` })
        break
      case 2:
        await send('POST', '/__mock/clock/advance', { by: `PT${number % 200}H` })
        break
      case 3:
        await send('POST', '/__mock/file-sets/empty/files', { files: [{ path: `${number % 50}/${operation}` }] })
        break
      case 4: {
        const token = next === undefined ? '' : `&next=${encodeURIComponent(next)}`
        const set = number % 4 === 0 ? 'empty' : 'demo'
        const text = await send('POST', `${SEARCH}/${set}/files/search?limit=5${set === 'demo' ? token : ''}`, {})
        const { pageContext } = JSON.parse(text) as { pageContext: { next?: string } }
        if (set === 'demo') next = pageContext.next
        break
      }
      default:
        await send(
          'POST',
          number % 35 === 0 ? '/__mock/reset' : '/__mock/checkpoints',
          number % 35 === 0 ? {} : { name: `c${operation % 9}` },
        )
    }
  }
  return digest.digest('hex')
}

test(`${TESTS} tests in parallel, each with a key of its own, are answered as each of them alone`, async () => {
  const clock = NOW
  const alone = await Promise.all(
    Array.from({ length: SCRIPTS }, async (_, script) => {
      const standin = createStandin({ clock, files: 200 })
      const digest = await runScript(await standin.start(), script, `alone-${script}`)
      await standin.stop()
      return digest
    }),
  )
  expect(new Set(alone).size).toBe(SCRIPTS)
  const standin = createStandin({ clock, files: 200 })
  const url = await standin.start()
  const together = await Promise.all(
    Array.from({ length: TESTS }, (_, number) => runScript(url, number % SCRIPTS, `test-${number}`)),
  )
  await standin.stop()
  for (const [number, digest] of together.entries()) expect(digest).toBe(alone[number % SCRIPTS])
})
