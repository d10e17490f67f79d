import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KEY_HEADER, type Tester } from '../tester.ts'
import { readSourceFile, readPackaged } from '../../../src/base/formats/source-file.ts'
import { stringifyJson } from '../../../src/base/formats/json.ts'
import type { Response } from 'supertest'

interface OpenApi {
  readonly paths: object
  readonly components: { readonly schemas: object; readonly responses: object }
}

/** The path of a contract that has the service's operations and, beside them, some on orders. */
export const ORDERS_CONTRACT = changedContract(() => undefined)

/** The same with a change; parts of it are looked up by JSON pointers. */
export function changedContract(change: (at: (pointer: string) => Record<string, unknown>) => void): string {
  const service = readPackaged('spec/openapi.yaml').value as OpenApi
  const orders = readSourceFile(fileURLToPath(new URL('../../resources/user-operations/orders.yaml', import.meta.url)))
    .value as OpenApi
  const components = {
    ...service.components,
    schemas: { ...service.components.schemas, ...orders.components.schemas },
    responses: { ...service.components.responses, ...orders.components.responses },
  }
  const path = join(mkdtempSync(join(tmpdir(), 'standin-')), 'contract.json')
  const merged = { ...service, components, paths: { ...service.paths, ...orders.paths } }
  const document = JSON.parse(stringifyJson(merged)) as Record<string, unknown>
  change((pointer) => {
    const parts = pointer.split('/').slice(1)
    return parts.reduce<unknown>(
      (value, part) => (value as Record<string, unknown>)[part.replaceAll('~1', '/')],
      document,
    ) as Record<string, unknown>
  })
  writeFileSync(path, stringifyJson(document))
  return path
}

const ORDERS = '/api/orders/v1/orders'

/** Asks for something on orders. */
export async function ask(
  tester: Pick<Tester, 'request'>,
  method: 'get' | 'post' | 'put' | 'delete',
  path = '',
  { body, key = 'key' }: { readonly body?: object; readonly key?: string } = {},
): Promise<Response> {
  const asked = tester.request()[method](`${ORDERS}${path}`).set(KEY_HEADER, key)
  return body === undefined ? asked : asked.set('Content-Type', 'application/json').send(stringifyJson(body))
}
