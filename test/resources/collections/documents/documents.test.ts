import { expect, test } from 'vitest'
import { createDocuments } from '../../../../src/resources/collections/documents/documents.ts'
import { storeDocument } from '../../../../src/resources/collections/documents/stored-document.ts'

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
