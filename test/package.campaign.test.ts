import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDirectory } from './support/command.ts'
import { features } from './support/features.ts'
import { PACKAGED } from './support/packaged.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** A copy of the checkout, with the `dist/` that all tests share, whose types are built before it is packed; and an empty project that installs the tarball. */
const [checkout, project] = [createDirectory({}), createDirectory({ 'package.json': '{ "type": "module" }' })]
const installed = join(project.path, 'node_modules', 'standin')
afterAll(() => [checkout, project].forEach((directory) => directory.remove()))

beforeAll(async () => {
  const ignored = new Set(['.git', 'dist', 'node_modules', '.peers', 'public-documents'])
  const isCopied = (path: string) => !ignored.has(basename(path)) && path !== join(root, 'coverage')
  cpSync(root, checkout.path, { recursive: true, filter: isCopied })
  symlinkSync(join(root, 'node_modules'), join(checkout.path, 'node_modules'))
  cpSync(join(root, 'dist'), join(checkout.path, 'dist'), { recursive: true })
  await run(process.execPath, ['scripts/build-types.ts'], { cwd: checkout.path })
  // `npm run check:package` packs with the scripts, which build all of it.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', project.path], { cwd: checkout.path })
  const [tarball = ''] = readdirSync(project.path).filter((name) => name.endsWith('.tgz'))
  const flags = ['--offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, `./${tarball}`], { cwd: project.path })
}, 600_000)

test('the package brings no other package and runs no script when it is installed', () => {
  const { scripts, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
    readonly dependencies?: unknown
  }
  const run = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare']
  expect(Object.keys(scripts).filter((name) => run.includes(name))).toEqual([])
  expect(dependencies).toBeUndefined()
  expect(readdirSync(join(project.path, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['standin'])
})

test.each(Object.entries(features))('the installed package has %s', async (_name, feature) => {
  await feature({ cli: join(installed, 'dist', 'cli.js'), data: join(project.path, 'data') })
})

test('the installed library reads YAML and what collections need where a contract is YAML and has some', async () => {
  const script = `
    import { createRequire } from 'node:module'
    import { createStandin } from 'standin'
    const required = () => Object.keys(createRequire(import.meta.url).cache).map((path) => path.split('/').at(-1))
    createStandin({})
    console.log(required().join())
    createStandin({ contract: 'node_modules/standin/examples/shop/contract.yaml' })
    console.log(required().join())`
  // Node before 26 has no Temporal.
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project.path })
  expect(stdout.replaceAll(/temporal-polyfill\.js,?/g, '')).toBe('\nyaml.js,inferred.js\n')
})

test('the installed library serves an OpenAPI 3.0 contract', async () => {
  const paths = {
    '/items': {
      get: {
        responses: { 200: { description: '', content: { 'application/json': { schema: { type: 'integer' } } } } },
      },
    },
  }
  writeFileSync(
    join(project.path, 'three.json'),
    JSON.stringify({ openapi: '3.0.0', info: { title: 'Three', version: '1' }, paths }),
  )
  const script = `
    import { createStandin } from 'standin'
    const standin = createStandin({ contract: 'three.json' })
    console.log(await (await fetch(\`\${await standin.start()}/items\`)).text())
    await standin.stop()`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project.path })
  expect(Number.isInteger(JSON.parse(stdout))).toBe(true)
})

/** A Node with other globals, as a flag. */
function pretending(code: string): string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

test.each([
  ['this Node', []],
  ['a Node without Temporal, such as 22 or 24', pretending('delete globalThis.Temporal')],
])('CommonJS can require the installed library, on %s', async (_node, flags) => {
  const script = `
    const { createStandin } = require('standin')
    console.log(createStandin({ clock: '2026-03-05T14:30:00Z' }).summary)`
  const { stdout } = await run(process.execPath, [...flags, '--input-type=commonjs', '-e', script], {
    cwd: project.path,
  })
  expect(stdout).toContain(`${PACKAGED.operations} operations, `)
})

test.each([
  ['module', "import { createStandin } from 'standin'"],
  ['commonjs', "const { createStandin } = require('standin')"],
  ['module', "import { useStandin } from 'standin/node-test'"],
])('on a Node that is too old the library says which it needs, before anything else fails: %s', async (type, load) => {
  // What an old Node lacks too, and modules of the library look for when they are loaded.
  const old = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })
    delete globalThis.Temporal
    delete process.getBuiltinModule`
  const failed = run(process.execPath, [...pretending(old), `--input-type=${type}`, '-e', load], { cwd: project.path })
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'Error: standin needs Node 22.18 or later; this is 20.11.0. Run npm i -D node@24 in your project, install one from https://nodejs.org, or use the Docker image.\n',
    ) as string,
  })
})

test('a consumer compiles against the types with nothing but TypeScript and the types of Node', async () => {
  const types = join(project.path, 'node_modules', '@types')
  mkdirSync(types)
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(types, 'node'))
  writeFileSync(
    join(project.path, 'consumer.ts'),
    `import { createServer } from 'node:http'
    import { createControlClient, createStandin, defineOperation, events, type Standin } from 'standin'
    const handlers = [defineOperation('greet', (world, call) => {
      const { nextId } = world.collection<{ id: number }>('greetings')
      return { status: 201, body: { nextId, at: call.now }, events: [events.create('greetings', nextId, { id: nextId })] }
    })]
    const standin: Standin = createStandin({ handlers, clock: new Date(0) })
    createServer(standin.app)
    const next: number = (await createControlClient({ url: await standin.start() }).getHistory()).next
    // @ts-expect-error the types are really there
    const seed: string = createStandin({ seed: next, nonsense: 1 })`,
  )
  const options = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true }
  const compilerOptions = { ...options, module: 'nodenext', target: 'es2024', types: ['node'] }
  writeFileSync(join(project.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', '.'], { cwd: project.path }).catch(
    (error: unknown) => error as { stdout: string },
  )
  expect(stdout).toBe('')
}, 120_000)

test('dist/ loads nothing but itself and what Node brings', () => {
  const dist = join(installed, 'dist')
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|d\.ts)$/.test(name))
  const foreign = files.flatMap((name) =>
    loadsOf(readFileSync(join(dist, name), 'utf8')).filter((load) => !isOwn(load, name, files)),
  )
  // Without the names of the files, which the bundler chooses, and those of variables, which are short in libraries.
  const named = foreign.map((load) => load.replace(/^(__require|createRequire)\(\w+\)$/, '$1(…)'))
  expect(named.toSorted()).toEqual([
    // Digests and metrics of the Redis client, which Standin does not use.
    '@node-rs/xxhash',
    '@opentelemetry/api',
    // The runner of `standin/playwright`, and its types.
    '@playwright/test',
    '@playwright/test',
    // Template engines of Express, which Standin does not use.
    '__require(…)',
    // The engine for patterns, Temporal for Node 24, the JSONPath of overlays, YAML, Faker and the inference of collections, each a file of its own; the
    // cache of `require`, which knows what the handlers of users load; and the bundler's way to load what Node brings.
    'createRequire(import.meta.url)',
    'createRequire(import.meta.url)',
    'createRequire(import.meta.url)',
    'createRequire(import.meta.url)',
    'createRequire(import.meta.url)',
    'createRequire(import.meta.url)',
    'createRequire(import.meta.url)',
    'createRequire(import.meta.url)',
    // Transports of pino, which Standin does not use, and the Faker of a project, for locales that do not come along.
    'createRequire(…)',
    'createRequire(…)',
    // The handlers of users.
    'import(again)',
    // The handlers of MSW that `standin import --stubs` reads.
    'import(pathToFileURL(resolve(file)).href)',
    'import(url)',
    // The handlers of `standin/msw`, those for browsers, and their types.
    'msw',
    'msw',
    'msw',
    // The runner of `standin/vitest`, its types, and what the entry adds to them.
    'vitest',
    'vitest',
    'vitest',
  ])
}, 120_000)

test('dist/browser/ loads nothing that Node brings', () => {
  const folder = join(installed, 'dist/browser')
  const loads = readdirSync(folder).flatMap((name) => loadsOf(readFileSync(join(folder, name), 'utf8')))
  // What is the same in Node is a file of `dist/`, which loads nothing else.
  const shared = [...new Set(loads.filter((load) => load.startsWith('../')))].map((load) => join(folder, load))
  const inShared = shared.flatMap((path) =>
    loadsOf(readFileSync(path, 'utf8')).map((load) => join(dirname(path), load)),
  )
  const documents = join(installed, 'dist/compiled/')
  const libraries = shared.filter((path) => !path.startsWith(documents))
  expect(libraries.map((path) => basename(path)).toSorted()).toEqual([
    'faker.js',
    'json-p3.js',
    're2.js',
    'temporal-polyfill.js',
    'yaml.js',
  ])
  expect(inShared.flatMap((path) => loadsOf(readFileSync(path, 'utf8')))).toEqual([])
  const foreign = loads.filter((load) => !/^\.\.?\/(?:compiled\/[\w./-]+|[\w-]+)\.js$/.test(load))
  // Lodash asks a module of Node for it, where there is one.
  expect(foreign.filter((load) => load !== 'util')).toEqual(['msw'])
})

/** Everything that a module loads, as its name, or as it is written where the name is computed. */
function loadsOf(code: string): string[] {
  const found: string[] = []
  const look = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      found.push((node.moduleSpecifier as ts.StringLiteral).text)
    if (ts.isImportTypeNode(node)) found.push(node.argument.getText())
    // An augmentation of a module that is not published.
    if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) found.push(node.name.text)
    if (ts.isCallExpression(node) && isLoad(node.expression)) {
      const [what] = node.arguments
      found.push(what && ts.isStringLiteralLike(what) ? what.text : node.getText())
    }
    ts.forEachChild(node, look)
  }
  look(ts.createSourceFile('module.ts', code, ts.ScriptTarget.Latest, true))
  return found
}

/** `import()`, and each way to write `require`: the bundler's, what `createRequire` makes, `require.resolve`. */
function isLoad(callee: ts.Expression): boolean {
  const text = callee.getText()
  return text === 'import' || /(^|\.)(_*require(\$\d+)?(\.resolve)?|createRequire(\(.*\))?)$/s.test(text)
}

function isOwn(load: string, from: string, files: readonly string[]): boolean {
  if (builtinModules.includes(load.replace(/^node:/, ''))) return true
  const path = join(dirname(from), load)
  return /^\.\.?\//.test(load) && (files.includes(path) || files.includes(path.replace(/\.js$/, '.d.ts')))
}
