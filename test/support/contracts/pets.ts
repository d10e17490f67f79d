import type { StandinOptions } from '../../../src/index.ts'
import { createContractTester } from './small-contract.ts'

type Json = Readonly<Record<string, unknown>>

/** A response with a JSON body. */
export const shows = (schema: Json) => ({ description: 'ok', content: { 'application/json': { schema } } })
export const takes = (schema: Json) => ({ required: true, content: { 'application/json': { schema } } })
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
export const nothing = { description: 'nothing' }

/** A parameter of a path. */
export const inPath = (name: string, type = 'integer') => ({ name, in: 'path', required: true, schema: { type } })

const PETS = {
  '/pets': {
    get: { operationId: 'listPets', responses: { 200: shows({ type: 'array', items: ref('Pet') }) } },
    post: { operationId: 'createPet', requestBody: takes(ref('NewPet')), responses: { 201: shows(ref('Pet')) } },
  },
  '/pets/{petId}': {
    parameters: [inPath('petId')],
    get: { operationId: 'readPet', responses: { 200: shows(ref('Pet')), 404: nothing } },
    put: { operationId: 'replacePet', requestBody: takes(ref('NewPet')), responses: { 200: shows(ref('Pet')) } },
    patch: { operationId: 'changePet', requestBody: takes(ref('NewPet')), responses: { 200: shows(ref('Pet')) } },
    delete: { operationId: 'deletePet', responses: { 204: nothing } },
  },
}

const members = { name: { type: 'string' }, tag: { type: 'string' } }

const PET_SCHEMAS = {
  NewPet: { type: 'object', properties: members },
  Pet: {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      ...members,
      status: { type: 'string', enum: ['new', 'sold'], default: 'new' },
      created_at: { type: 'string', format: 'date-time', readOnly: true },
    },
  },
}

/** A contract whose paths are about pets. */
export function createPetShop(options: StandinOptions = {}, paths: Json = {}, schemas: Json = {}) {
  return createContractTester(
    { ...PETS, ...paths },
    { ...PET_SCHEMAS, ...schemas },
    { clock: '2026-03-05T14:30:00Z', ...options },
  )
}
