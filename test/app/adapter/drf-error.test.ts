import request from 'supertest'
import { expect, test } from 'vitest'
import { shows, takes } from '../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY } from '../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const Order = {
  type: 'object',
  required: ['name', 'due'],
  properties: {
    name: { ...text, minLength: 1, maxLength: 5 },
    due: { ...text, format: 'date' },
    paid: { type: 'boolean' },
    size: { ...text, enum: ['s', 'm'] },
    owner: { ...text, format: 'uuid' },
    lines: { type: 'array', items: { type: 'object', properties: { amount: { type: 'integer', minimum: 1 } } } },
  },
}

/** A document as drf-spectacular writes it, which tells the framework by the name of an operation and describes no error. */
function post(body: unknown) {
  const change = { operationId: 'orders_partial_update', requestBody: takes({ type: 'object' }), responses: { 200: shows(text) } } // prettier-ignore
  const { standin } = createContractTester({
    '/orders': { post: { operationId: 'orders_create', requestBody: takes(Order), responses: { 201: shows(text) } }, patch: change }, // prettier-ignore
  })
  return request(standin.app).post('/orders').set(OWN_KEY).set('Content-Type', 'application/json').send(JSON.stringify(body)) // prettier-ignore
}

test.each<[why: string, body: object, errors: object]>([
  ['what is missing', { due: '2026-03-05' }, { name: ['This field is required.'] }],
  ['null', { name: null, due: '2026-03-05' }, { name: ['This field may not be null.'] }],
  ['an empty text', { name: '', due: '2026-03-05' }, { name: ['This field may not be blank.'] }],
  [
    'several members',
    { name: 'too long', due: 'soon', paid: 'maybe', size: 'xl', owner: 'ann' },
    {
      name: ['Ensure this field has no more than 5 characters.'],
      due: ['Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'],
      paid: ['Must be a valid boolean.'],
      size: ['"xl" is not a valid choice.'],
      owner: ['Must be a valid UUID.'],
    },
  ],
  [
    'the elements of a list, at their places',
    { name: 'a', due: '2026-03-05', lines: [{}, { amount: 'two' }, { amount: 0 }] },
    {
      lines: [
        {},
        { amount: ['A valid integer is required.'] },
        { amount: ['Ensure this value is greater than or equal to 1.'] },
      ],
    },
  ],
  ['a body of another type', [1], { non_field_errors: ['Invalid data. Expected a dictionary.'] }],
])('Django REST framework says what is not valid by member: %s', async (_, body, errors) => {
  expect(await post(body)).toMatchObject({ status: 400, body: errors })
})

test('a body that is no JSON is said in a sentence', async () => {
  const { standin } = createContractTester({
    '/orders': { patch: { operationId: 'orders_partial_update', requestBody: takes(Order), responses: { 200: shows(text) } } }, // prettier-ignore
  })
  const refused = request(standin.app).patch('/orders').set(OWN_KEY).set('Content-Type', 'application/json').send('{')
  expect((await refused).body).toEqual({ detail: expect.stringMatching(/^The body is not valid JSON/) as string })
})
