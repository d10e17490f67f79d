/**
 * Builds `site/`, the docs as a site, from README.md and `docs/` by VitePress, which also checks the links: `npm run docs`.
 *
 * Pages keep their texts. Links to other files of the checkout lead to copies below `/files/`, and those to a folder to a list of what is in it.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, posix } from 'node:path'
import { installTools } from '../install-tools.ts'
import { buildPlayground } from './playground.ts'

const root = join(import.meta.dirname, '..', '..')
const tools = join(import.meta.dirname, 'node_modules')

/** Where each page of the checkout is on the site. */
const pages = new Map([
  ['README.md', 'index.md'],
  ...globSync('docs/*.md', { cwd: root }).map((path) => [path, basename(path)] as const),
  ...['CONTRIBUTING.md', 'CHANGELOG.md'].map((path) => [path, path.toLowerCase()] as const),
  ...globSync('decisions/*.md', { cwd: root }).map((path) => [path, path] as const),
])

installTools('docs-site')
const stage = mkdtempSync(join(tmpdir(), 'standin-docs-'))
try {
  symlinkSync(tools, join(stage, 'node_modules'))
  cpSync(join(root, 'docs/images'), join(stage, 'images'), { recursive: true })
  cpSync(join(root, 'docs/llms.txt'), join(stage, 'public/llms.txt'))
  write('.vitepress/config.js', readFileSync(join(import.meta.dirname, 'config.js'), 'utf8'))
  for (const [path, page] of pages) write(page, pageFrom(path))
  execFileSync(process.execPath, [join(tools, 'vitepress/bin/vitepress.js'), 'build', '.'], {
    cwd: stage,
    stdio: 'inherit',
  })
  rmSync(join(root, 'site'), { recursive: true, force: true })
  cpSync(join(stage, '.vitepress/dist'), join(root, 'site'), { recursive: true })
  // Its frames are pages of `dist/`.
  await import('../build-if-changed.ts')
  await buildPlayground(join(root, 'site/playground'))
} finally {
  rmSync(stage, { recursive: true })
}

/** The text of a page, with its links as the site has them. */
function pageFrom(path: string): string {
  const markdown = readFileSync(join(root, path), 'utf8')
  // Code is left alone.
  return markdown
    .split(/(^```[^]*?^```$)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(/\]\(([^)\s]+)\)/g, (_link, to: string) => `](${linkFrom(path, to)})`),
    )
    .join('')
}

function linkFrom(path: string, link: string): string {
  if (/^([a-z]+:|#)/.test(link)) return link
  const [target = '', anchor] = link.split('#')
  const file = posix.normalize(posix.join(dirname(path), target))
  if (file.startsWith('docs/images/')) return `/images/${basename(file)}`
  const page = pages.get(file)
  const found = page === undefined ? fileOf(file) : `/${page}`
  return anchor === undefined ? found : `${found}#${anchor}`
}

/** Copies a file of the checkout to the site, or lists a folder. @throws Error when there is none */
function fileOf(path: string): string {
  if (path === 'docs/llms.txt') return '/llms.txt'
  if (!statSync(join(root, path)).isDirectory()) {
    mkdirSync(join(stage, 'public/files', dirname(path)), { recursive: true })
    cpSync(join(root, path), join(stage, 'public/files', path))
    return `/files/${path}`
  }
  const folder = path.replace(/\/$/, '')
  const names = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isFile())
  const list = names.map(({ name }) => `- [${name}](${linkFrom('README.md', `${folder}/${name}`)})`)
  write(`files/${folder}/index.md`, `# ${folder}\n\n${list.join('\n')}\n`)
  return `/files/${folder}/`
}

function write(path: string, text: string): void {
  const file = join(stage, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
