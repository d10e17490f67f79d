/** Builds the playground into a folder: the page with the engine, and the console and the API docs as its frames, below `__mock/`. */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { DESIGN_TOKENS } from '../../src/app/pages/design-tokens.ts'
import { engineInPages } from '../build-browser.ts'

/** As `playground/index.html` has it, without what only the engine needs. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'none'; base-uri 'none'; form-action 'none'"

const STYLES = ['console/src/styles/controls.css', 'playground/src/playground.css']

export async function buildPlayground(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const frames = join(folder, '__mock')
  mkdirSync(frames, { recursive: true })
  const bundle = await rolldown({
    input: 'playground/src/main.tsx',
    platform: 'browser',
    logLevel: 'warn',
    moduleTypes: { '.yaml': 'text' },
    checks: { ineffectiveDynamicImport: false },
    ...engineInPages(),
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    // A page that was opened before an update must not load parts of the new one.
    entryFileNames: 'parts/[name]-[hash].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    minify: true,
  })
  writeFileSync(
    join(folder, 'playground.css'),
    [DESIGN_TOKENS, ...STYLES.map((path) => readFileSync(path, 'utf8'))].join('\n'),
  )
  const page = readFileSync('playground/index.html', 'utf8')
  writeFileSync(join(folder, 'index.html'), page.replace('./main.js', `./${output[0].fileName}`))
  cpSync('playground/frame.js', join(folder, 'frame.js'))
  for (const built of ['dist/console', 'dist/docs']) cpSync(built, frames, { recursive: true })
  // A stand-in sends the scripts of the API docs as they are stored; a web server may not know that they are gzip.
  for (const stored of globSync(join(frames, '**/*.gz'))) {
    writeFileSync(stored.slice(0, -'.gz'.length), gunzipSync(readFileSync(stored)))
    rmSync(stored)
  }
  writeFileSync(join(frames, 'index.html'), asFrame('dist/console/index.html'))
  writeFileSync(join(frames, 'docs.html'), asFrame('dist/docs/index.html'))
  // The console's palette goes to `docs`, which on a server is the page itself.
  writeFileSync(
    join(frames, 'docs/index.html'),
    '<!doctype html><meta http-equiv="refresh" content="0; url=../docs.html" />',
  )
}

/** A page of a stand-in whose requests the playground answers. */
function asFrame(page: string): string {
  const head = `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}" /><script src="../frame.js"></script>`
  const html = readFileSync(page, 'utf8')
  if (!html.includes('<head>')) throw new Error(`${page} has no <head> for the script of the frames.`)
  return html.replace('<head>', head)
}
