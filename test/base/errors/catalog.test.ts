import { expect, onTestFinished, test } from 'vitest'
import { PROVOCATIONS, refusedWith, type Received } from './provocations.ts'
import { connectTo, searchHead } from '../../support/raw.ts'
import { createControlledTester } from '../../support/control.ts'
import { readPackaged } from '../../../src/base/formats/source-file.ts'
import { type DescribedError, errorCatalog, errorsBySubject } from '../../../src/base/errors/catalog.ts'
import { takesAll } from '../../support/cases.ts'

const OWN = [...errorsBySubject().values()].flat()

/** Only a request that changes a sandbox between two steps of an advance of its clock sees it, so no request provokes it every time. */
const RACES = ['clock-interrupted']
const SENT = OWN.filter(({ id, isNeverSent }) => !isNeverSent && !RACES.includes(id))
const OWN_IDS = new Set(OWN.map(({ id }) => id))
const OF_STATUS = [...errorCatalog().values()].filter(({ id }) => !OWN_IDS.has(id))

function expectProblem({ status, headers, body }: Received, entry: DescribedError): void {
  expect(headers['content-type']).toBe('application/problem+json')
  expect([entry.status, ...(entry.otherStatuses ?? [])]).toContain(status)
  expect(body).toMatchObject({ type: `/problems/${entry.id}`, title: entry.title, status })
  expect((body as { detail: string }).detail).not.toBe('')
}

test('each error has an id, a status and a title of its own, a cause and a remedy', () => {
  expect(new Set(OWN.map(({ id }) => id)).size).toBe(OWN.length)
  expect(Object.keys(readPackaged('spec/errors.yaml').value as object).toSorted()).toEqual([...OWN_IDS].toSorted())
  for (const { id, status, title, cause, remedy } of errorCatalog().values()) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(title, id).toMatch(/^[A-Z].*[^.]$/)
    for (const sentence of [cause, remedy]) expect(sentence, id).toMatch(/^[A-Z].*\.$/s)
  }
})

test('a request provokes each error that a client can receive', () => {
  expect(Object.keys(PROVOCATIONS).toSorted()).toEqual(SENT.map(({ id }) => id).toSorted())
})

/** Errors of bounds that take thousands of things to fill. */
const OF_BOUNDS = [
  'too-many-transitions',
  'too-many-documents',
  'documents-too-large',
  'state-too-large',
  'event-not-kept',
  'too-many-runs',
]
const taken = takesAll ? SENT : SENT.filter(({ id }) => !OF_BOUNDS.includes(id))

test.for(taken)('$id is a problem document with the status and the title of the catalogue', async (entry) => {
  expectProblem(await PROVOCATIONS[entry.id]!(), entry)
})

test.for(OF_STATUS)('a fault with the status $status is the problem $id', async (entry) => {
  expectProblem(await refusedWith(entry.status), entry)
})

test('a request that is cut off is in the journal only', async () => {
  const { standin, control } = createControlledTester()
  onTestFinished(() => standin.stop())
  const client = await connectTo(await standin.start())
  client.send(`${searchHead({ 'Content-Length': 100 })}{"filters":`)
  client.socket.destroy()
  await client.closed
  await expect
    .poll(async () => (await control.listExchanges()).exchanges.map(({ problem }) => problem))
    .toEqual(['The body ended early.'])
})
