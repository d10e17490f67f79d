import { posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { referTo, withParents } from '../../../src/base/formats/paths.ts'

test('the folders of a path end at its root, also on a drive that is missing', () => {
  expect(withParents('/data/standin', posix)).toEqual(['/data/standin', '/data', '/'])
  expect(withParents(String.raw`Z:\data\standin`, win32)).toEqual([
    String.raw`Z:\data\standin`,
    String.raw`Z:\data`,
    'Z:\\',
  ])
  expect(withParents(String.raw`\\server\share\data`, win32)).toEqual([
    String.raw`\\server\share\data`,
    '\\\\server\\share\\',
  ])
})

test.each([
  [posix, 'api', 'parts/item.yaml', 'api/parts/item.yaml'],
  [posix, 'api', '../common.yaml', 'common.yaml'],
  [posix, '/srv/api', './item.yaml', '/srv/api/item.yaml'],
  [posix, 'api', '/srv/common.yaml', '/srv/common.yaml'],
  [posix, '.', './item.yaml', 'item.yaml'],
  [win32, 'api', 'parts/item.yaml', String.raw`api\parts\item.yaml`],
  [win32, String.raw`C:\srv\api`, '../common.yaml', String.raw`C:\srv\common.yaml`],
  [win32, 'api', 'C:/srv/common.yaml', 'C:/srv/common.yaml'],
])('a file is shown where it is: %#', (platform, folder, file, shown) => {
  expect(referTo(file, folder, platform)).toBe(shown)
})
