import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type FolderEntry, readFolder, StartupError } from '../../src/index.ts'
import { createTester } from '../support/tester.ts'

const MOMENT = new Date('2025-06-01T12:34:56.789Z')

/** A folder of a test, removed after it: texts are files and null is a directory. */
function createFolder(tree: Readonly<Record<string, string | Buffer | null>>): string {
  const root = mkdtempSync(join(tmpdir(), 'standin-folder-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(tree)) {
    const at = join(root, path)
    mkdirSync(content === null ? at : join(at, '..'), { recursive: true })
    if (content !== null) writeFileSync(at, content)
  }
  return root
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

function pathsOf(files: readonly FolderEntry[]): string[] {
  return files.map(({ path }) => path)
}

test('files have their true size, digest and date, and empty directories are listed', async () => {
  const large = Buffer.alloc(3 * 2 ** 20 + 7, 'abc')
  const root = createFolder({ 'a.txt': 'hello', 'b/large.bin': large, 'b/none': '', 'c/d/e': null, 'c/f': null })
  utimesSync(join(root, 'a.txt'), MOMENT, MOMENT)
  utimesSync(join(root, 'c/f'), MOMENT, MOMENT)
  const { files, bytes, leftOut } = await readFolder(root)
  expect(pathsOf(files)).toEqual(['a.txt', 'b/large.bin', 'b/none', 'c/d/e', 'c/f'])
  expect(files[0]).toEqual({ path: 'a.txt', size: 5, hash: sha256('hello'), created: MOMENT.toISOString() })
  expect(files[1]).toMatchObject({ size: large.length, hash: sha256(large) })
  expect(files[2]).toMatchObject({ size: 0, hash: sha256('') })
  expect(files[4]).toEqual({ path: 'c/f', fileType: 'DIRECTORY', created: MOMENT.toISOString() })
  expect([bytes, leftOut]).toEqual([large.length + 5, []])
})

test('a folder is a fixture, whose types come from the names', async () => {
  const root = createFolder({ 'report.pdf': '%PDF', 'photos/ä.jpg': 'x', void: null })
  const { files } = await readFolder(root)
  const { search, paths } = createTester({ fixtures: [{ fileSets: [{ id: 'own', files }] }] })
  expect(await paths({ set: 'own' })).toEqual(['photos', 'photos/ä.jpg', 'report.pdf', 'void'])
  const found = await search({ set: 'own', body: { filters: [{ field: 'size', operator: 'EQUALS', value: ['4'] }] } })
  expect(found.body).toMatchObject({
    files: [{ contentType: 'application/pdf', fileType: 'DOCUMENT', hash: sha256('%PDF'), size: 4 }],
  })
})

test('links within the folder are files, and those that lead elsewhere are left out', async () => {
  const outside = createFolder({ secret: 'x' })
  const root = createFolder({ 'a.txt': 'hello', 'dir/b': '1' })
  symlinkSync(join(root, 'a.txt'), join(root, 'link'))
  symlinkSync('../a.txt', join(root, 'dir/relative'))
  symlinkSync(join(outside, 'secret'), join(root, 'out'))
  symlinkSync('../../../../../../../../etc/passwd', join(root, 'dir/far'))
  symlinkSync(outside, join(root, 'elsewhere'))
  symlinkSync(root, join(root, 'circle'))
  symlinkSync('dir', join(root, 'twin'))
  symlinkSync('nothing', join(root, 'dangling'))
  symlinkSync('self', join(root, 'self'))
  // A neighbour whose name only begins alike lies outside.
  mkdirSync(`${root}-not`)
  onTestFinished(() => rmSync(`${root}-not`, { recursive: true }))
  writeFileSync(`${root}-not/x`, 'x')
  symlinkSync(`${root}-not/x`, join(root, 'neighbour'))
  const { files, leftOut, leftOutCount } = await readFolder(root)
  expect(pathsOf(files)).toEqual(['a.txt', 'dir/b', 'dir/relative', 'link'])
  expect(files[3]).toMatchObject({ size: 5, hash: sha256('hello') })
  expect(leftOutCount).toBe(8)
  const why = Object.fromEntries(leftOut.map((one) => [one.path, one.why]))
  expect(why).toEqual({
    out: 'it is a link that leads out of the folder',
    'dir/far': 'it is a link that leads out of the folder',
    elsewhere: 'it is a link that leads out of the folder',
    neighbour: 'it is a link that leads out of the folder',
    circle: 'it is a link that leads out of the folder',
    twin: 'it is a link to something that is not a file',
    dangling: 'it is a link that cannot be followed: it is not there',
    self: 'it is a link that cannot be followed: the links form a circle',
  })
})

test('a folder that is itself a link is read', async () => {
  const root = createFolder({ 'a.txt': 'hello' })
  const link = `${root}-link`
  symlinkSync(root, link)
  onTestFinished(() => rmSync(link))
  expect(pathsOf((await readFolder(link)).files)).toEqual(['a.txt'])
})

test('names that are not UTF-8, sockets and the like are skipped with a message', async () => {
  const root = createFolder({ 'good/a': '1' })
  writeFileSync(Buffer.concat([Buffer.from(`${root}/good/`), Buffer.of(0x66, 0xff, 0x6f)]), 'x')
  mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.of(0xc3, 0x28)]))
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.of(0xc3, 0x28), Buffer.from('/inside')]), 'x')
  const server = createServer().listen(join(root, 'socket'))
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const { files, leftOut } = await readFolder(root)
  expect(pathsOf(files)).toEqual(['good/a'])
  expect(leftOut.map(({ why }) => why).sort()).toEqual([
    'it is neither a file nor a directory',
    'its name is not UTF-8',
    'its name is not UTF-8',
  ])
})

test('both normal forms of a name, odd characters and deep paths come as they are', async () => {
  const deep = Array.from({ length: 60 }, (_, depth) => `level-${depth}`).join('/')
  const names = ['\u00e9', 'e\u0301', 'a\\b', 'new\nline', ' space ', '%41', '\u{1f600}', '__proto__', `${deep}/x`]
  const root = createFolder(Object.fromEntries(names.map((name) => [`in/${name}`, name])))
  const { files, leftOut } = await readFolder(root)
  expect(leftOut).toEqual([])
  const { paths } = createTester({ fixtures: [{ fileSets: [{ id: 'own', files }] }] })
  const found = await paths({ set: 'own', query: { limit: 1000 } })
  for (const name of names) expect(found).toContain(`in/${name}`)
})

test('a path that is too long is left out', async () => {
  const root = createFolder({ 'a.txt': 'x' })
  const segment = 'x'.repeat(200)
  // No call takes a path as long as this, so each directory is made from within the one above.
  const script = `for i in $(seq 25); do mkdir ${segment} && cd ${segment} || exit 1; done; echo deep > file`
  execFileSync('bash', ['-c', script], { cwd: root })
  onTestFinished(() => void execFileSync('rm', ['-rf', root]))
  const { files, leftOut } = await readFolder(root)
  expect(pathsOf(files)[0]).toBe('a.txt')
  expect(leftOut).toHaveLength(1)
  expect(leftOut[0]?.why).toMatch(/path is (too long|longer than 4096 bytes)/)
  // Nothing in the deepest directory could be read, so the directory itself is listed.
  expect(files).toEqual([expect.anything(), expect.objectContaining({ fileType: 'DIRECTORY' })])
  createStandin({ fixtures: [{ fileSets: [{ id: 'own', files }] }] })
})

/** The superuser may read everything, and then there is nothing to test. */
test.skipIf(process.getuid?.() === 0)('files that may not be read are skipped with a message', async () => {
  const root = createFolder({ 'a/secret': 'x', 'a/open': 'y', 'b/in': 'z', c: null })
  chmodSync(join(root, 'a/secret'), 0)
  chmodSync(join(root, 'b'), 0)
  onTestFinished(() => chmodSync(join(root, 'b'), 0o700))
  const { files, leftOut } = await readFolder(root)
  expect(pathsOf(files)).toEqual(['a/open', 'c'])
  expect(leftOut.toSorted((one, two) => one.path.localeCompare(two.path))).toEqual([
    { path: 'a/secret', why: 'this user may not read it' },
    { path: 'b', why: 'this user may not read it' },
  ])
})

test('it reports its progress and stops on request', async () => {
  const root = createFolder({ 'a/1': 'x', 'a/2': 'y' })
  truncateSync(join(root, 'a/1'), 50 * 2 ** 20)
  const seen: { found: number; read: number; bytes: number }[] = []
  await readFolder(root, { onProgress: (progress) => seen.push(progress) })
  expect(seen.at(-1)).toEqual({ found: 2, read: 2, bytes: 50 * 2 ** 20 + 1 })
  expect(seen.every(({ read }, index) => read >= (seen[index - 1]?.read ?? 0))).toBe(true)
  const stopping = new AbortController()
  const reading = readFolder(root, {
    signal: stopping.signal,
    onProgress: ({ bytes }) => {
      if (bytes > 0) stopping.abort(new Error('enough'))
    },
  })
  await expect(reading).rejects.toThrow('enough')
})

test.for([
  ['nowhere', 'it is not there'],
  ['a.txt', 'it is not a folder'],
] as const)('%s is refused', async ([name, why]) => {
  const root = createFolder({ 'a.txt': 'x' })
  const refused = readFolder(join(root, name))
  await expect(refused).rejects.toThrow(StartupError)
  await expect(refused).rejects.toThrow(why)
})

test('an empty folder is an empty file set', async () => {
  const { files } = await readFolder(createFolder({}))
  expect(files).toEqual([])
  createStandin({ fixtures: [{ fileSets: [{ id: 'none', files }] }] })
})
