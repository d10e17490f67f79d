import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const id = { type: 'string', format: 'uuid' }
const object = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties })
const list = (items: Json) => ({ type: 'array', items })

const inUuid = (name: string) => ({ name, in: 'path', required: true, schema: id })

const EVENT = object({ id, title: text })
const TICKET_TYPE = object({ id, name: text, price: integer })
const LINES = list(object({ ticket_type_id: id, quantity: integer }))
const SEAT = object({ id, row: text, ticket_type_id: id })

/** Collections below the events, and bookings beside them that name an event and its ticket types. */
const PATHS = {
  '/events': {
    get: { responses: { 200: shows(list(EVENT)) } },
    post: { requestBody: takes(object({ title: text })), responses: { 201: shows(EVENT) } },
  },
  '/events/{eventId}': { parameters: [inUuid('eventId')], get: { responses: { 200: shows(EVENT), 404: nothing } } },
  '/events/{eventId}/ticket-types': {
    parameters: [inUuid('eventId')],
    get: { responses: { 200: shows(list(TICKET_TYPE)) } },
    post: { requestBody: takes(object({ name: text, price: integer })), responses: { 201: shows(TICKET_TYPE) } },
  },
  '/events/{eventId}/ticket-types/{ticketTypeId}': {
    parameters: [inUuid('eventId'), inUuid('ticketTypeId')],
    get: { responses: { 200: shows(TICKET_TYPE), 404: nothing } },
  },
  '/events/{eventId}/seats': {
    parameters: [inUuid('eventId')],
    get: { responses: { 200: shows(list(SEAT)) } },
    post: {
      requestBody: takes(object({ row: text, ticket_type_id: id })),
      responses: { 201: shows(SEAT), 422: nothing },
    },
  },
  '/bookings': {
    get: { responses: { 200: shows(list(object({ id, event_id: id, lines: LINES, total: integer }))) } },
    post: {
      requestBody: takes(object({ event_id: id, lines: LINES })),
      responses: { 201: shows(object({ id, event_id: id, lines: LINES, total: integer })), 422: nothing },
    },
  },
}

function createTickets() {
  const { standin } = createContractTester(PATHS)
  const send = async (method: 'get' | 'post', path: string, sent?: object) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(sent)
    return { status: response.status, body: response.body as Json }
  }
  /** A new event with one type of tickets. */
  const createEvent = async (price: number) => {
    const event = (await send('post', '/events', { title: 'Concert' })).body
    const at = `/events/${String(event.id)}`
    const type = (await send('post', `${at}/ticket-types`, { name: 'VIP', price })).body
    return { at, event_id: event.id, ticket_type_id: type.id }
  }
  return { send, createEvent }
}

describe('what names an item of a collection below another', () => {
  test('adds up by its price, where the parent is named beside it', async () => {
    const { send, createEvent } = createTickets()
    const { event_id, ticket_type_id } = await createEvent(700)
    const booked = await send('post', '/bookings', { event_id, lines: [{ ticket_type_id, quantity: 3 }] })
    expect(booked).toMatchObject({ status: 201, body: { total: 2100 } })
  })

  test('must name one of that parent', async () => {
    const { send, createEvent } = createTickets()
    const [one, other] = [await createEvent(700), await createEvent(5)]
    const lines = [{ ticket_type_id: other.ticket_type_id, quantity: 1 }]
    const refused = await send('post', '/bookings', { event_id: one.event_id, lines })
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.body)).toContain('/lines/0/ticket_type_id: expected the id of a ticket-type')
    expect((await send('post', '/bookings', { event_id: other.event_id, lines })).status).toBe(201)
  })

  test('is looked up below the parent of the path', async () => {
    const { send, createEvent } = createTickets()
    const [one, other] = [await createEvent(700), await createEvent(5)]
    const seat = (ticket_type_id: unknown) => send('post', `${one.at}/seats`, { row: 'A', ticket_type_id })
    expect((await seat(one.ticket_type_id)).status).toBe(201)
    expect((await seat(other.ticket_type_id)).status).toBe(422)
  })
})
