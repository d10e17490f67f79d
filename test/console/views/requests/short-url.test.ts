import { expect, test } from 'vitest'
import { shortUrl, splitPath } from '../../../../console/src/views/requests/short-url.ts'

test('a cursor is shortened, so that what follows it can be read', () => {
  const cursor = `eyJvIjox${'A'.repeat(60)}MH0z`
  expect(shortUrl(`/files/search?next=${cursor}&limit=3`)).toBe('/files/search?next=eyJvIjox…MH0z&limit=3')
})

test('ids stay whole', () => {
  const url = '/orders/1b4e28ba-2fa1-11d2-883f-0016d3cca427?status=placed'
  expect(shortUrl(url)).toBe(url)
})

test('a path is cut before its end, where the operation stands', () => {
  expect(splitPath('/api/files/v1/filesets/demo/files/search')).toEqual([
    '/api/files/v1/filesets/demo',
    '/files/search',
  ])
  expect(splitPath('/orders/7')).toEqual(['/orders', '/7'])
  expect(splitPath('/orders')).toEqual(['/orders', ''])
  expect(splitPath(`/orders/${'x'.repeat(40)}`)).toEqual([`/orders/${'x'.repeat(40)}`, ''])
})
