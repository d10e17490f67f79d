import assert from 'node:assert/strict'

/** An official client, and what its users do with it first. */
export interface ClientSession {
  /** The npm package. */
  readonly client: string
  /** The file of the service's document, relative to `checks/public-documents`. */
  readonly document: string
  /** @param url of the server, without a slash at its end */
  run(url: string, user: User): Promise<void>
}

/** Calls the client as its README does, and says what its user relies on. Each call is a step. */
interface User {
  /**
   * A call that the service fulfils.
   *
   * @param check throws where the result is not what the documentation of the service promises
   * @returns what the call gave, also where the check failed; undefined where the call did, so that later steps that need it fail too
   */
  does<T>(step: string, call: () => T | Promise<T>, check?: (result: T) => unknown): Promise<T>
  /** A call that the service refuses. */
  isRefused(step: string, call: () => unknown, check: (error: RefusedCall) => unknown): Promise<void>
}

/** What clients put into their errors, by any of their names. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type RefusedCall = Error & Record<string, any>

export interface Taken {
  readonly step: string
  /** Why the step is not right. */
  readonly miss: string | undefined
}

const PATIENCE = 20_000

export async function take({ run }: ClientSession, url: string): Promise<Taken[]> {
  const taken: Taken[] = []
  const note = async (step: string, act: () => Promise<void>) => {
    assert(!taken.some((one) => one.step === step), `Two steps are named "${step}".`)
    taken.push({ step, miss: await act().then(() => undefined, reasonOf) })
  }
  await run(url, {
    async does<T>(step: string, call: () => T | Promise<T>, check?: (result: T) => unknown): Promise<T> {
      let result: T | undefined
      await note(step, async () => {
        result = await inTime(call)
        check?.(result)
      })
      return result as T
    },
    isRefused: (step, call, check) =>
      note(step, async () => {
        const error = await inTime(call).then(
          (result) =>
            assert.fail(
              `was not refused: ${(JSON.stringify(result) as string | undefined)?.slice(0, 200) ?? 'nothing'}`,
            ),
          (thrown: unknown) => thrown as RefusedCall,
        )
        if (error instanceof assert.AssertionError) throw error
        check(error)
      }),
  })
  return taken
}

/** A client that waits for an event which never comes must not hold up the check. */
async function inTime<T>(call: () => T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took more than ${PATIENCE / 1000} s`)), PATIENCE)
  })
  try {
    return await Promise.race([Promise.resolve().then(call), late])
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(error: unknown): string {
  // Some clients throw what is not an error.
  const { message, status, code } = error as Partial<RefusedCall>
  const known: unknown[] = [status, code].filter((one) => one !== undefined && one !== 'ERR_ASSERTION')
  return [...known.map(String), String(message ?? error).replaceAll(/\s+/g, ' ')].join(' ').slice(0, 400)
}

/** As many as were asked for, of what an auto-pager gives. */
export async function collect<T>(pages: AsyncIterable<T>, most = 1000): Promise<T[]> {
  const items: T[] = []
  for await (const item of pages) {
    items.push(item)
    if (items.length >= most) break
  }
  return items
}
