import request from 'supertest'
import type { StandinOptions } from '../../../src/index.ts'
import { createControlledTester } from '../control.ts'
import { inPath, nothing, ref, shows, takes } from './pets.ts'
import { contractOf, type Json, OWN_KEY } from './small-contract.ts'
import type { Tester } from '../tester.ts'

const PROBLEM = {
  description: 'refused',
  content: { 'application/problem+json': { schema: { type: 'object', properties: { detail: { type: 'string' } } } } },
}

export const refusals = (...statuses: readonly number[]) =>
  Object.fromEntries(statuses.map((status) => [status, PROBLEM]))

/** The owners of pets, with notes below them, and visits that are listed below them too. */
const PATHS: Json = {
  '/owners': {
    get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } },
    post: { requestBody: takes(ref('Owner')), responses: { 201: shows(ref('Owner')) } },
  },
  '/owners/{ownerId}': {
    parameters: [inPath('ownerId')],
    get: { responses: { 200: shows(ref('Owner')), ...refusals(404, 410) } },
    put: { requestBody: takes(ref('Owner')), responses: { 200: shows(ref('Owner')), ...refusals(404) } },
    patch: { requestBody: takes(ref('OwnerPatch')), responses: { 200: shows(ref('Owner')), ...refusals(400, 404) } },
    delete: { responses: { 204: nothing, ...refusals(404, 409) } },
  },
  '/owners/{ownerId}/visits': {
    parameters: [inPath('ownerId')],
    get: {
      parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
      responses: { 200: shows({ type: 'array', items: ref('Visit') }), ...refusals(404) },
    },
  },
  '/owners/{ownerId}/notes': {
    parameters: [inPath('ownerId')],
    get: { responses: { 200: shows({ type: 'array', items: ref('Note') }), ...refusals(404) } },
    post: { requestBody: takes(ref('Note')), responses: { 201: shows(ref('Note')), ...refusals(404) } },
  },
  '/visits': {
    get: { responses: { 200: shows({ type: 'array', items: ref('Visit') }) } },
    post: { requestBody: takes(ref('Visit')), responses: { 201: shows(ref('Visit')), ...refusals(400, 422) } },
  },
  '/visits/{visitId}': {
    parameters: [inPath('visitId')],
    get: { responses: { 200: shows(ref('Visit')), ...refusals(404) } },
    patch: { requestBody: takes(ref('Visit')), responses: { 200: shows(ref('Visit')), ...refusals(400, 422) } },
  },
}

const id = { type: 'integer', readOnly: true }
const text = { type: 'string' }

const SCHEMAS: Json = {
  Owner: {
    type: 'object',
    required: ['id', 'name', 'phone'],
    properties: {
      id,
      name: { ...text, minLength: 1 },
      phone: { type: ['string', 'null'] },
      city: { type: ['string', 'null'] },
      kind: { ...text, default: 'person' },
      address: { type: 'object', properties: { country: { ...text, default: 'FR' }, street: text } },
      created_at: { type: 'string', format: 'date-time', readOnly: true },
      updated_at: { type: 'string', format: 'date-time', readOnly: true },
      version: { type: 'integer', readOnly: true },
    },
  },
  OwnerPatch: {
    type: 'object',
    properties: {
      name: { type: ['string', 'null'] },
      phone: { type: ['string', 'null'] },
      city: { type: ['string', 'null'] },
    },
  },
  Visit: {
    type: 'object',
    required: ['id', 'reason'],
    properties: {
      id,
      reason: text,
      owner_id: { type: 'integer' },
      vet: { type: 'object', properties: { id: { type: 'integer' }, name: text } },
      lines: { type: 'array', items: { type: 'object', properties: { owner_id: { type: 'integer' } } } },
      owner: { type: 'object', properties: { id: { type: 'integer' } } },
    },
  },
  Note: { type: 'object', required: ['id', 'text'], properties: { id, text } },
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

/** Sends a request with a JSON body. */
export async function send(
  { standin }: Pick<Tester, 'standin'>,
  [method, path]: readonly [Method, string],
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const sending = request(standin.app)
    [method](path)
    .set({ ...OWN_KEY, ...headers })
  const response = await (body === undefined ? sending : sending.send(body as object))
  return { status: response.status, headers: response.headers, body: response.body as Json }
}

/** The options of such a server, with a contract of its own. */
export function shelterOptions(paths: Json = {}, schemas: Json = {}): StandinOptions {
  const contract = contractOf({ ...PATHS, ...paths }, { ...SCHEMAS, ...schemas })
  return { contract, clock: '2026-03-05T14:30:00Z', selfCheck: true }
}

export function createShelter(paths: Json = {}, schemas: Json = {}, options: StandinOptions = {}) {
  const tester = createControlledTester({ ...shelterOptions(paths, schemas), ...options })
  return {
    ...tester,
    send: (request: readonly [Method, string], body?: unknown, headers?: Readonly<Record<string, string>>) =>
      send(tester, request, body, headers),
  }
}
