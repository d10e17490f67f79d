import { expect, test } from 'vitest'
import { createDocuments, MOST_REMOVED } from '../../../../src/resources/collections/documents/documents.ts'
import { storeDocument, entriesIn } from '../../../../src/resources/collections/documents/stored-document.ts'

const document = (text: string) => storeDocument({ text })
const textsOf = (documents: ReturnType<typeof createDocuments>) =>
  [...documents].map(([id, { value }]) => [id, value.text])

test('a copy and its original share their documents until one of them changes, and never meet after it', () => {
  const original = createDocuments([['1', document('a')]])
  const copy = original.copy()
  const second = copy.copy()
  original.add('2', document('b'))
  copy.replace('1', document('c'))
  second.remove('1')
  expect(textsOf(original)).toEqual([
    ['1', 'a'],
    ['2', 'b'],
  ])
  expect(textsOf(copy)).toEqual([['1', 'c']])
  expect(textsOf(second)).toEqual([])
  expect([original.made, copy.made, second.made]).toEqual([2, 1, 1])
})

test('a thousand copies of ten thousand documents take the room of a thousand objects', () => {
  const large = createDocuments(Array.from({ length: 10_000 }, (_, index) => [`${index}`, document('x')]))
  const before = process.memoryUsage().heapUsed
  const copies = Array.from({ length: 1000 }, () => large.copy())
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  expect(copies.every((copy) => copy.size === 10_000)).toBe(true)
})

test('the length is that of the JSON text of all documents', () => {
  const documents = createDocuments()
  documents.add('1', document('abc'))
  documents.add('2', storeDocument({ ä: 9_007_199_254_740_993n }))
  expect(documents.length).toBe('{"text":"abc"}'.length + '{"ä":9007199254740993}'.length)
  documents.replace('1', document(''))
  documents.remove('2')
  expect(documents.length).toBe('{"text":""}'.length)
})

test('a document has the number of its creation, whatever is removed before it', () => {
  const documents = createDocuments([
    ['a', document('')],
    ['b', document('')],
  ])
  documents.remove('a')
  documents.add('c', document(''))
  documents.replace('b', document('changed'))
  expect([...entriesIn(documents.entries)].map(({ id, seq }) => [id, seq])).toEqual([
    ['b', 2],
    ['c', 3],
  ])
})

test('what was read of the documents stays as it was when they change', () => {
  const documents = createDocuments([['a', document('first')]])
  const { entries } = documents
  documents.replace('a', document('second'))
  documents.add('b', document('third'))
  expect([...entriesIn(entries)].map(({ document: { value } }) => value.text)).toEqual(['first'])
})

test('the ids that were removed last are remembered until they are created again', () => {
  const documents = createDocuments()
  for (let id = 0; id <= MOST_REMOVED; id++) {
    documents.add(`${id}`, document(''))
    documents.remove(`${id}`)
  }
  expect([documents.wasRemoved('0'), documents.wasRemoved('1'), [...documents.removed].length]).toEqual([
    false,
    true,
    MOST_REMOVED,
  ])
  const copy = documents.copy()
  copy.add('1', document(''))
  expect([documents.wasRemoved('1'), copy.wasRemoved('1')]).toEqual([true, false])
})

test('the places of removed documents are used again, and the order stays', () => {
  const documents = createDocuments()
  for (let id = 0; id < 5000; id++) {
    documents.add(`${id}`, document(`${id}`))
    if (id % 1000 !== 0) documents.remove(`${id}`)
  }
  expect(documents.entries.pages.length).toBeLessThan(10)
  expect(textsOf(documents)).toEqual(['0', '1000', '2000', '3000', '4000'].map((id) => [id, id]))
  expect(documents.get('4000')?.value.text).toBe('4000')
})
