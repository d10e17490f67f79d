import request from 'supertest'
import { expect, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY } from '../../support/contracts/small-contract.ts'

const OK = { '200': { description: 'ok', content: { 'application/json': { schema: { const: 'ok' } } } } }

function createXml(schema: Json, schemas: Json = {}) {
  const requestBody = { required: true, content: { 'application/xml': { schema } } }
  const { standin } = createContractTester({ '/things': { put: { requestBody, responses: OK } } }, schemas)
  return async (xml: string) => {
    const response = await request(standin.app).put('/things').set(OWN_KEY).type('application/xml').send(xml)
    const { errors = [], detail } = response.body as { errors?: { pointer: string }[]; detail?: string }
    return { status: response.status, wrong: errors.map(({ pointer }) => pointer), detail }
  }
}

const PET = {
  type: 'object',
  required: ['id', 'name'],
  additionalProperties: false,
  xml: { name: 'pet' },
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    name: { type: 'string', xml: { name: 'Name', prefix: 'p' } },
    tags: { type: 'array', xml: { wrapped: true, name: 'Tags' }, items: { type: 'string', xml: { name: 'Tag' } } },
    size: { type: 'array', items: { type: 'integer', xml: { name: 'Size' } } },
    owner: { type: 'object', properties: { active: { type: 'boolean' } } },
  },
}

test.each([
  ['attributes, prefixes and texts', '<pet id="1" xmlns:p="urn:p"><p:Name>Rex &amp; Co</p:Name></pet>'],
  ['one element of a list', '<pet id="1"><Name>1</Name><Size>3</Size><Tags><Tag>a</Tag></Tags></pet>'],
  ['several', '<pet id="1"><Name>1</Name><Size>3</Size><Size>4</Size><Tags><Tag>a</Tag><Tag>2</Tag></Tags></pet>'],
  ['objects', '<?xml version="1.0"?><pet id="1"><Name>a</Name><owner><active>true</active></owner></pet>'],
])('an XML body has %s', async (_, xml) => {
  expect(await createXml(PET)(xml)).toMatchObject({ status: 200 })
})

test.each([
  ['<pet id="one"><Name>a</Name></pet>', ['/id']],
  ['<pet id="1"/>', ['/name']],
  ['<pet id="1"><Name>a</Name><Size>big</Size></pet>', ['/size/0']],
  ['<pet id="1"><Name>a</Name><Nmae>a</Nmae></pet>', ['/Nmae']],
])('%s is refused', async (xml, wrong) => {
  expect(await createXml(PET)(xml)).toMatchObject({ status: 400, wrong })
})

test('the outermost element may be described as the only property of the body', async () => {
  const schema = {
    type: 'object',
    required: ['Tagging'],
    properties: { Tagging: { $ref: '#/components/schemas/Tagging' } },
  }
  const Tagging = { type: 'object', required: ['key'], properties: { key: { type: 'integer' } } }
  const send = createXml(schema, { Tagging })
  expect(await send('<Tagging><key>1</key></Tagging>')).toMatchObject({ status: 200 })
  expect(await send('<Tagging><key>a</key></Tagging>')).toMatchObject({ status: 400, wrong: ['/Tagging/key'] })
})

test.each([
  ['<pet id="1"><Name></pet>', /^The XML cannot be read: line 1, column \d+: /],
  ['<!DOCTYPE a [<!ENTITY b "c">]><pet id="1"><Name>&b;</Name></pet>', /document type/],
])('%s cannot be read', async (xml, detail) => {
  expect(await createXml(PET)(xml)).toMatchObject({ status: 400, detail: expect.stringMatching(detail) as string })
})
