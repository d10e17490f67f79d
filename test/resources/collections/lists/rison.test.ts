import { expect, test } from 'vitest'
import { createPetShop, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const filters = { type: 'array', items: { type: 'object', properties: { col: text, opr: text, value: {} } } }
const asked = {
  type: 'object',
  properties: { filters, order_column: text, order_direction: text, page: integer, page_size: integer },
}

/** A list that takes all that it is asked for in one parameter, which is documented as JSON. */
function createShop(schemas: Readonly<Record<string, unknown>> = {}) {
  const q = { name: 'q', in: 'query', content: { 'application/json': { schema: asked } } }
  const result = { type: 'object', properties: { result: { type: 'array', items: ref('Pet') } } }
  const pets = {
    get: { parameters: [q], responses: { 200: shows(result) } },
    post: { requestBody: takes(ref('NewPet')), responses: { 201: shows(ref('Pet')) } },
  }
  const { request } = createPetShop({ documents: 0 }, { '/pets': pets }, schemas)
  const post = (name: string) => request().post('/pets').set(OWN_KEY).send({ name })
  const namesFor = async (query: string) => {
    const response = await request().get(`/pets?q=${query}`).set(OWN_KEY)
    const { result = [] } = response.body as { result?: { name: string }[] }
    return response.status === 200 ? result.map(({ name }) => name) : response.status
  }
  return { post, namesFor }
}

const FLASK = {
  get_list_schema: asked,
  get_item_schema: { type: 'object', properties: { columns: { type: 'array' } } },
}

test('a parameter that is documented as JSON takes Rison too, as Flask-AppBuilder and Kibana write it', async () => {
  const { post, namesFor } = createShop()
  for (const name of ['Tom', 'Ann', 'Tim']) await post(name)
  expect(await namesFor('(order_column:name,order_direction:desc)')).toEqual(['Tom', 'Tim', 'Ann'])
  const filter = '(filters:!((col:name,opr:sw,value:T)),order_column:name,page_size:1,page:'
  expect(await namesFor(`${filter}1)`)).toEqual(['Tim'])
  expect(await namesFor(`${filter}2)`)).toEqual(['Tom'])
  const json = { filters: [{ col: 'name', opr: 'sw', value: 'T' }], order_column: 'name' }
  expect(await namesFor(encodeURIComponent(JSON.stringify(json)))).toEqual(['Tim', 'Tom'])
  expect(await namesFor('(filters:!((col:name')).toBe(400)
})

test('pages of a document that Flask-AppBuilder made are counted from 0', async () => {
  const { post, namesFor } = createShop(FLASK)
  for (const name of ['Ann', 'Bob']) await post(name)
  expect(await namesFor('(order_column:name,page_size:1,page:0)')).toEqual(['Ann'])
  expect(await namesFor('(order_column:name,page_size:1,page:1)')).toEqual(['Bob'])
})
