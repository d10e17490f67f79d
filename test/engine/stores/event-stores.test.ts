import { join } from 'node:path'
import { createDirectory } from '../../support/command.ts'
import { createSqliteStore } from '../../../examples/store/sqlite-store.ts'
import { createMemoryStore } from '../../../src/index.ts'
import { openFileStore } from '../../../src/engine/stores/file/file-store.ts'
import { describeExchanges, describeSharedStore, describeStore, type Place } from './conformance.ts'

function inMemory(): Place {
  const store = createMemoryStore()
  return { open: () => store, remove: () => undefined }
}

function inDirectory(open: (path: string) => ReturnType<Place['open']>): Place {
  const { path, remove } = createDirectory({})
  return { open: () => open(path), remove }
}

const inFiles = () =>
  inDirectory((path) => openFileStore(join(path, 'data'), { fsync: false, note: (text) => expectNothing(text) }))
const inSqlite = () => inDirectory((path) => createSqliteStore(join(path, 'events.db')))

function expectNothing(text: string): void {
  throw new Error(text)
}

describeStore('memory', inMemory)
describeStore('files', inFiles)
describeStore('examples/store', inSqlite)
describeSharedStore('memory', inMemory)
describeSharedStore('examples/store', inSqlite)
describeExchanges('memory', inMemory)
