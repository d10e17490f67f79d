import { loadContract } from '../../src/contract/load/load.ts'
import { createRouter } from '../../src/contract/router.ts'
import { type ControlClient, ControlError, createControlClient } from '../../src/index.ts'
import { parseJson, withNumbers } from '../../src/base/formats/json.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { createTester, type Tester } from './tester.ts'
import type { StandinOptions } from '../../src/index.ts'

/** The control API's contract, checked against the meta-schema too. */
export const controlContract = loadContract(readPackaged('spec/control.openapi.yaml'))
const router = createRouter(controlContract.operations)

/** A tester with a typed client of the control API. Every response is checked against the contract. */
export interface ControlledTester extends Tester {
  readonly control: ControlClient
}

export function createControlledTester(options: StandinOptions = {}): ControlledTester {
  const tester = createTester(options)
  return { ...tester, control: createClient(tester, options.controlToken) }
}

function createClient(tester: Tester, token: string | undefined): ControlClient {
  return createControlClient({
    url: '',
    ...(token === undefined ? {} : { token }),
    async fetch(url, init) {
      const response = await tester.standin.fetch(url, init)
      holdAgainstContract(init.method ?? 'GET', url, response.status, await response.clone().text())
      return response
    },
  })
}

function holdAgainstContract(method: string, url: string, status: number, text: string): void {
  const [path = ''] = url.split('?')
  const route = router.route(method, path, 'strict')
  if (route.kind !== 'operation') throw new Error(`the contract has no ${method} ${path}`)
  // The metrics are no JSON, and their own tests look at them.
  if (status === 204 || text.startsWith('# HELP')) return
  const body = parseJson(text)
  const violations = route.operation.checkResponse(status, withNumbers(body))
  if (violations.length > 0)
    throw new Error(`${method} ${path} ${status}: ${JSON.stringify(violations, null, 1)} ${text.slice(0, 500)}`)
}

/** What a refused call says: `409 /problems/sandbox-exists: There is …`. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (error instanceof ControlError) return `${error.status} ${error.type}: ${error.message}`
    throw error
  }
  throw new Error('the call was not refused')
}
