/**
 * Packs the package as it would be published, and checks the tarball: it is small, publint reads its package.json, Are The Types Wrong resolves its types,
 * and the bill of what is bundled is read by the schema of CycloneDX.
 *
 *   node scripts/check-package.ts [--nodes]
 *
 * With `--nodes` it also runs the tarball by `npx` in an empty folder, and all its features, on each Node it supports, and the fixtures with
 * the test runners it supports. It installs them. CI does.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { installNode } from './install-node.ts'
import { installTools } from './install-tools.ts'
import { tryRunners } from './runners/try-runners.ts'

const ROOT = join(import.meta.dirname, '..')
const TOOLS = join(import.meta.dirname, 'package-tools/node_modules')
/** In bytes. What a dependency brings that nobody uses would go unnoticed otherwise. */
const LIMITS = { tarball: 3_500_000, dist: 10_000_000 }
/** The oldest supported one, and the newest of each major version. */
const NODES = ['22.18', '24', '26']
const directory = mkdtempSync(join(tmpdir(), 'standin-package-'))
// npm is a script of the shell on Windows.
const shell = process.platform === 'win32'

try {
  installTools('package-tools')
  const report = execFileSync('npm', ['pack', '--silent', '--json', '--pack-destination', directory], {
    cwd: ROOT,
    shell,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  checkSizes(report)
  const tarball = join(directory, readdirSync(directory)[0] ?? '')
  runTool('publint/src/cli.js', 'run', tarball, '--strict')
  // ESM alone: Node takes it by `require` too, which the profile for CommonJS does not know.
  runTool(
    '@arethetypeswrong/cli/dist/index.js',
    tarball,
    '--profile',
    'esm-only',
    '--no-color',
    '--no-summary',
    '--format',
    'ascii',
  )
  checkBill(tarball)
  if (process.argv.includes('--nodes')) {
    for (const version of NODES) tryOn(version, tarball)
    tryRunners(tarball, directory)
  }
} finally {
  rmSync(directory, { recursive: true })
}

function runTool(cli: string, ...args: readonly string[]): void {
  execFileSync(process.execPath, [join(TOOLS, cli), ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
}

function tryOn(version: string, tarball: string): void {
  const node = installNode(version)
  const cwd = join(directory, `node-${version}`)
  mkdirSync(cwd)
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd, env, encoding: 'utf8', shell })
  const tarballs = ['--yes', '--offline', '--package', tarball]
  if (!run('npx', ...tarballs, 'standin', 'check').includes('all is well')) throw new Error('npx standin check')
  const left = readdirSync(cwd)
  if (left.length > 0) throw new Error(`npx standin left ${left.join(', ')} in an empty folder`)
  // Here, even where a folder above has a package.json.
  run('npm', 'install', '--prefix', cwd, '--no-save', '--offline', '--no-audit', '--no-fund', tarball)
  const features = readFileSync(join(ROOT, 'test/support/features.ts'), 'utf8')
  const copy = [join(cwd, 'node_modules/standin/dist/cli.js'), join(cwd, 'data')]
  process.stdout.write(`Node ${run(node, '--version')}`)
  process.stdout.write(run(node, '--input-type=module-typescript', '-e', features, '--', ...copy))
}

/** @param report what `npm pack --json` writes: a list, or since npm 12 an object by package */
function checkSizes(report: string): void {
  const [packed] = Object.values(JSON.parse(report) as Record<string, Packed>)
  if (!packed) throw new Error(`npm pack --json wrote ${report}`)
  const inDist = packed.files.filter(({ path }) => path.startsWith('dist/'))
  const sizes = { tarball: packed.size, dist: inDist.reduce((sum, { size }) => sum + size, 0) }
  for (const name of ['tarball', 'dist'] as const) {
    process.stdout.write(`${name}: ${sizes[name]} bytes of ${LIMITS[name]}\n`)
    if (sizes[name] > LIMITS[name]) throw new Error(`${name} has ${sizes[name]} bytes, and may have ${LIMITS[name]}`)
  }
}

interface Packed {
  readonly size: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** The bill of what is bundled, by the schema of CycloneDX itself. */
function checkBill(tarball: string): void {
  const bill: unknown = JSON.parse(
    execFileSync('tar', ['-xzOf', tarball, 'package/dist/sbom.cdx.json'], { encoding: 'utf8' }),
  )
  const folder = join(TOOLS, '@cyclonedx/cyclonedx-library/res/schema')
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
    ajv.addSchema(read(`${name}.SNAPSHOT.schema.json`), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  const validate = ajv.compile(read('bom-1.6.SNAPSHOT.schema.json'))
  if (!validate(bill)) throw new Error(`dist/sbom.cdx.json is no CycloneDX 1.6: ${ajv.errorsText(validate.errors)}`)
}
