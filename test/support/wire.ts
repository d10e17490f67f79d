import { KEY_HEADER, NOW, SCHEDULES } from './tester.ts'
import { createStandin, type StandinOptions } from '../../src/index.ts'

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

/** The two operations on report schedules over connections that stay open: for tests that send thousands of requests. */
export interface Wire {
  /** @param body JSON text, or a value to be written as such */
  create(body: unknown): Promise<Answer>
  update(id: number | string, body: unknown): Promise<Answer>
}

/** Runs a test against a listening server and closes it afterwards. */
export async function overWire(options: StandinOptions, run: (wire: Wire) => Promise<void>): Promise<void> {
  const standin = createStandin({ now: () => NOW, ...options })
  const url = (await standin.start()) + SCHEDULES
  const headers = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }
  const send = async (method: string, address: string, value: unknown): Promise<Answer> => {
    const body = typeof value === 'string' ? value : JSON.stringify(value)
    const response = await fetch(address, { method, headers, body })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown }
  }
  try {
    await run({
      create: (body) => send('POST', url, body),
      update: (id, body) => send('PUT', `${url}/${id}`, body),
    })
  } finally {
    await standin.stop()
  }
}
