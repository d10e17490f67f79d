import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** What the document of the service says: less than it does. */
export const CLINIC_CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Clinic', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        responses: { 200: content({ type: 'array', items: { $ref: '#/components/schemas/Pet' } }) },
      },
      post: {
        operationId: 'createPet',
        requestBody: { required: true, ...content({ $ref: '#/components/schemas/NewPet' }) },
        responses: { 200: content({ $ref: '#/components/schemas/Pet' }) },
      },
    },
    '/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getPet', responses: { 200: content({ $ref: '#/components/schemas/Pet' }) } },
      patch: {
        operationId: 'updatePet',
        requestBody: { required: true, ...content({ type: 'object', properties: { name: { type: 'string' } } }) },
        responses: { 200: content({ $ref: '#/components/schemas/Pet' }) },
      },
      delete: { operationId: 'deletePet', responses: { 204: { description: 'It is gone.' } } },
    },
    '/vets': {
      get: {
        operationId: 'listVets',
        responses: { 200: content({ type: 'array', items: { $ref: '#/components/schemas/Vet' } }) },
      },
    },
    '/vets/{vetId}': {
      parameters: [{ name: 'vetId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getVet', responses: { 200: content({ $ref: '#/components/schemas/Vet' }) } },
    },
  },
  components: {
    schemas: {
      NewPet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          species: { type: 'string', enum: ['cat', 'dog'] },
          nickname: { type: 'string' },
        },
      },
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          species: { type: 'string' },
          nickname: { type: ['string', 'null'] },
        },
      },
      Vet: {
        type: 'object',
        required: ['id', 'field'],
        properties: { id: { type: 'integer' }, field: { type: 'string' } },
      },
    },
  },
}

function content(schema: object): object {
  return { description: 'It is as follows.', content: { 'application/json': { schema } } }
}

interface Pet {
  readonly id: number
  readonly name: string
  readonly [member: string]: unknown
}

/** A service with habits of its own. */
export async function startClinic(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const pets = new Map<number, Pet>()
  const vets = [
    { id: 1, field: 'surgery' },
    { id: 2, field: 'dentistry' },
  ]
  const server = createServer((request, response) => void handle(request, response))
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isJson = request.headers['content-type'] === 'application/json'
    const body = isJson ? ((await json(request)) as Record<string, unknown>) : {}
    const { status, value } = respond(request.method ?? '', request.url ?? '', body)
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(value === undefined ? undefined : JSON.stringify(value))
  }
  function respond(method: string, url: string, body: Record<string, unknown>): { status: number; value?: unknown } {
    const [, kind = '', id = ''] = url.split('/')
    const missing = (noun: string) => ({
      status: 404,
      value: { error: { code: 'NOT_FOUND', message: `No ${noun} has the number ${id}.` } },
    })
    if (url === '/version') return { status: 200, value: { version: '4.2', edition: 'community' } }
    if (url === '/about') return { status: 200, value: { opens: 8, owner: 'ann.cole@clinic.example' } }
    if (kind === 'vets' && id === '') return { status: 200, value: vets }
    if (kind === 'vets') {
      const vet = vets.find((one) => String(one.id) === id)
      return vet ? { status: 200, value: vet } : missing('vet')
    }
    if (method === 'POST') {
      if (typeof body.name !== 'string') return { status: 422, value: { errors: { name: ['is required'] } } }
      const made = 100 + pets.size * 7
      const pet = { id: made, nickname: null, ...body, name: body.name, kind: 'pet', href: `/pets/${made}` }
      pets.set(made, pet)
      return { status: 201, value: pet }
    }
    if (id === '') return { status: 200, value: [...pets.values()] }
    const pet = pets.get(Number(id))
    if (method === 'DELETE') {
      pets.delete(Number(id))
      return { status: 204 }
    }
    if (!pet) return missing('pet')
    if (method === 'PATCH') pets.set(pet.id, { ...pet, ...body })
    return { status: 200, value: pets.get(pet.id) }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
