import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Rounds } from '../campaign.ts'
import { readPage } from '../page.ts'
import { checkOnce } from '../property.ts'
import { type Service, startService } from '../service.ts'
import { directoriesAbove, pick } from '../../../test/resources/file-sets/arbitrary-searches.ts'

/** A file as the campaign sent it, and the id that it was given. */
interface File {
  readonly id: string
  readonly path: string
  readonly created: string
  readonly createdBy: number
  readonly size: number
}

type Change =
  | { readonly kind: 'add'; readonly file: Omit<File, 'id'> }
  | { readonly kind: 'remove'; readonly pick: number }
  | { readonly kind: 'rename'; readonly pick: number; readonly path: string }

const SEGMENTS = ['a', 'b', 'a-b', 'c', 'C', '\u{1f600}']
const paths = fc
  .tuple(fc.array(pick(...SEGMENTS), { minLength: 1, maxLength: 4 }), pick('.txt', '.txt', ''))
  .map(([segments, ending]) => segments.join('/') + ending)
const files = fc.record({
  path: paths,
  created: fc.integer({ min: 1, max: 9 }).map((day) => `2026-01-0${day}T00:00:00.000Z`),
  createdBy: fc.nat(3),
  size: fc.nat(3),
})
const changes: fc.Arbitrary<Change> = fc.oneof(
  files.map((file) => ({ kind: 'add' as const, file })),
  fc.nat().map((place) => ({ kind: 'remove' as const, pick: place })),
  fc.record({ kind: fc.constant('rename' as const), pick: fc.nat(), path: paths }),
)

const FIELDS = ['id', 'path', 'name', 'fileType', 'contentType', 'size', 'created', 'createdBy'] as const
type Field = (typeof FIELDS)[number]

const histories = fc.record({
  files: fc.array(files, { maxLength: 40, size: 'max' }),
  sort: fc.array(fc.record({ field: pick(...FIELDS), order: pick('ASC', 'DESC') }), { maxLength: 2 }),
  directory: pick('', '', 'a', 'b', 'a/b'),
  immediateChildren: fc.boolean(),
  /** A name that entries must contain. */
  like: pick(undefined, undefined, 'a', 'b', '.txt'),
  limit: fc.integer({ min: 1, max: 7 }),
  /** What happens between two pages; it begins again when the walk is longer. */
  changes: fc.array(fc.array(changes, { maxLength: 3 }), { minLength: 1, maxLength: 10 }),
})
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never

export async function open(): Promise<Rounds> {
  const service = await startService({ files: 0, clock: '2026-03-05T00:00:00Z' })
  return {
    run: (round) => checkOnce(service, round, histories, (history) => walk(service, history)),
    requests: service.requests,
    close: async () => {
      await service.stop()
      return { requests: service.count() }
    },
  }
}

async function walk(service: Service, history: History): Promise<void> {
  await service.control.reset()
  await service.control.createFileSet({ id: 'any' })
  const state = createFiles(service)
  for (const file of history.files) await state.apply({ kind: 'add', file })
  const { limit, directory, immediateChildren, like, sort } = history
  const filters = like === undefined ? [] : [{ field: 'name', operator: 'LIKE', value: [like] }]
  const parameters = { limit, immediateChildren, ...(directory === '' ? {} : { directoryPath: directory }) }
  const watch = createWatch(history, state.files())
  const found: string[] = []
  let next: string | undefined
  for (let number = 0; ; number++) {
    const page = readPage(await service.search('any', { ...parameters, next }, { fieldSort: sort, filters }))
    for (const { id, path, fileType } of page.files) {
      assert(watch.isShown(path), `${path} was listed, and is not in the result`)
      found.push(fileType === 'DIRECTORY' ? path : id)
    }
    next = page.next
    if (next === undefined) break
    assert(number < 500, 'the walk does not end')
    for (const change of history.changes[number % history.changes.length]!) {
      await state.apply(change)
      watch.look(state.files())
    }
  }
  for (const key of watch.steady())
    assert.equal(found.filter((one) => one === key).length, 1, `${key} was there throughout`)
}

/** The files, in the server and in a list. */
function createFiles({ control }: Service) {
  let held: File[] = []
  const isFree = (path: string) => isFreeAmong(held, path)
  return {
    files: () => held,
    async apply(change: Change): Promise<void> {
      if (change.kind === 'add') {
        if (!isFree(change.file.path)) return
        const { files: added } = await control.addFiles('any', [change.file])
        held = [...held, { ...change.file, id: added.find(({ path }) => path === change.file.path)!.id }]
        return
      }
      const file = held[change.pick % held.length]
      if (!file) return
      const others = held.filter((one) => one !== file)
      if (change.kind === 'remove') {
        await control.deleteFile('any', file.id)
        held = others
      } else if (isFreeAmong(others, change.path)) {
        await control.changeFile('any', file.id, { path: change.path })
        held = [...others, { ...file, path: change.path }]
      }
    },
  }
}

/** No file is at the path, above it, or below it. */
function isFreeAmong(files: readonly File[], path: string): boolean {
  return files.every((one) => one.path !== path && !one.path.startsWith(`${path}/`) && !path.startsWith(`${one.path}/`))
}

/** Follows which entries are in the result all the time, files by id and directories by path. */
function createWatch(history: History, files: readonly File[]) {
  let shown = resultOf(history, files)
  let steady = new Map([...shown].map(([key, { place }]) => [key, place]))
  return {
    isShown: (path: string) => [...shown.values()].some((one) => one.path === path),
    look(now: readonly File[]) {
      shown = resultOf(history, now)
      // A file whose sort keys change moves in the order; a directory must be found no matter where it moves.
      steady = new Map([...steady].filter(([key, place]) => shown.get(key)?.place === place))
    },
    steady: () => [...steady.keys()],
  }
}

interface Shown {
  readonly path: string
  /** The values of the sort keys; none of a directory. */
  readonly place: string
}

function resultOf({ directory, immediateChildren, like, sort }: History, files: readonly File[]): Map<string, Shown> {
  const fields = sort.length === 0 ? (['path'] as const) : sort.map(({ field }) => field)
  const directories = new Set(files.flatMap(({ path }) => directoriesAbove(path)))
  const all: (readonly [key: string, Shown])[] = [
    ...files.map(
      (file) =>
        [file.id, { path: file.path, place: JSON.stringify(fields.map((field) => valueOf(file, field))) }] as const,
    ),
    ...[...directories].map((path) => [path, { path, place: '' }] as const),
  ]
  const prefix = directory === '' ? '' : `${directory}/`
  return new Map(
    all.filter(([, { path }]) => {
      const isBelow = path.startsWith(prefix) && !(immediateChildren && path.slice(prefix.length).includes('/'))
      return isBelow && (like === undefined || nameOf(path).toLowerCase().includes(like))
    }),
  )
}

/** What a file is sorted by. Type and media type never change. */
function valueOf(file: File, field: Field): string | number {
  if (field === 'fileType' || field === 'contentType') return ''
  return field === 'name' ? nameOf(file.path) : file[field]
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
