import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { createDirectory } from '../command.ts'
import { createControlledTester, type ControlledTester } from '../control.ts'
import type { StandinOptions } from '../../../src/index.ts'

export type Json = Record<string, unknown>

/** What a document of its own has besides its paths. */
const FRAME = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
}

export const OWN_KEY = { 'X-Key': 'key' }

/** A server for a contract that the test writes: its paths, and its schemas. */
export function createContractTester(
  paths: Json,
  schemas: Json = {},
  { extra = {}, ...options }: StandinOptions & { readonly extra?: Json } = {},
): ControlledTester {
  return createControlledTester({ contract: contractOf(paths, schemas, extra), ...options })
}

/** The file of such a contract, which is gone after the test. */
export function contractOf(paths: Json, schemas: Json, extra: Json = {}): string {
  return writeContract({ ...FRAME, paths, components: { ...FRAME.components, schemas }, ...extra })
}

export type Paths = Record<string, Record<string, Json>>

/** The contract of the package as a document to be changed. */
export function packagedContract(): Json & { paths: Paths } {
  const text = readFileSync(new URL('../../../spec/openapi.yaml', import.meta.url), 'utf8')
  return parse(text) as Json & { paths: Paths }
}

export const SEARCH = '/api/files/v1/filesets/{fileSetId}/files/search'
export const CREATE = '/api/content/v1/reportschedules'
const UPDATE = '/api/content/v1/reportschedules/{scheduleId}'

/** The three operations under other names, other parameters and other paths; nothing but what their bodies know is the same. */
export function renamedPaths(paths: Paths): Json {
  const search = { ...paths[SEARCH]!.post }
  const [, ...query] = search.parameters as unknown[]
  return {
    '/drives/{drive}/search': {
      post: {
        ...search,
        operationId: 'lookUp',
        parameters: [{ name: 'drive', in: 'path', required: true, schema: { type: 'string' } }, ...query],
      },
    },
    '/mailings': { post: { ...paths[CREATE]!.post, operationId: 'plan' } },
    '/mailings/{mailing}': {
      put: {
        ...paths[UPDATE]!.put,
        operationId: 'replan',
        parameters: [{ name: 'mailing', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
  }
}

/** The path of a file that holds the document until the test is over. */
export function writeContract(document: unknown): string {
  const directory = createDirectory({ 'contract.json': JSON.stringify(document) })
  onTestFinished(directory.remove)
  return join(directory.path, 'contract.json')
}
