/**
 * Builds `site/`, the docs as a site, from README.md and `docs/` by VitePress, with the playground, and checks the links: `npm run docs`.
 * `DOCS_URL=https://example.com/standin/ npm run docs` builds it for that address, with a sitemap. An argument names another folder.
 *
 * Pages keep their texts, and have their Markdown beside them. Links to other files of the checkout lead to copies below `/files/`, and those
 * to a folder to a list of what is in it.
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
import { basename, dirname, join, posix, resolve } from 'node:path'
import { packageVersion } from '../../src/base/formats/source-file.ts'
import { installTools } from '../install-tools.ts'
import { findDeadLinks } from './check-links.ts'
import { buildPlayground } from './playground.ts'

const PLAYGROUND = '/playground/'
/** Characters that chats and search engines show. */
const LONGEST_DESCRIPTION = 180

const root = join(import.meta.dirname, '..', '..')
const tools = join(import.meta.dirname, 'node_modules')

/** Where each page of the checkout is on the site. */
const pages = new Map([
  ['README.md', 'introduction.md'],
  ...globSync('docs/*.md', { cwd: root }).map((path) => [path, basename(path)] as const),
  ...['CONTRIBUTING.md', 'CHANGELOG.md'].map((path) => [path, path.toLowerCase()] as const),
  ...globSync('decisions/*.md', { cwd: root }).map((path) => [path, path] as const),
])

/** Files of this folder, and where VitePress expects them. */
const OWN = [
  ['config.js', '.vitepress/config.js'],
  ['theme', '.vitepress/theme'],
  ['landing.md', 'index.md'],
  ['social.png', 'public/social.png'],
] as const
const site = resolve(process.argv[2] ?? join(root, 'site'))
const base = process.env.DOCS_URL === undefined ? '/' : new URL(process.env.DOCS_URL).pathname
const version = packageVersion()
const isReleased = !readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`## ${version} (unreleased)`)

installTools('docs-site')
const stage = mkdtempSync(join(tmpdir(), 'standin-docs-'))
try {
  symlinkSync(tools, join(stage, 'node_modules'))
  cpSync(join(root, 'docs/images'), join(stage, 'public/images'), { recursive: true })
  cpSync(join(root, 'console/public/icon.svg'), join(stage, 'public/icon.svg'))
  for (const [from, to] of OWN) cpSync(join(import.meta.dirname, from), join(stage, to), { recursive: true })
  for (const [path, page] of pages) write(page, pageFrom(path))
  write('decisions/index.md', listOfDecisions())
  execFileSync(process.execPath, [join(tools, 'vitepress/bin/vitepress.js'), 'build', '.'], {
    cwd: stage,
    env: { ...process.env, DOCS_VERSION: version, DOCS_IS_RELEASED: String(isReleased) },
    stdio: 'inherit',
  })
  rmSync(site, { recursive: true, force: true })
  cpSync(join(stage, '.vitepress/dist'), site, { recursive: true })
} finally {
  rmSync(stage, { recursive: true })
}
for (const [path, page] of pages) writeFileSync(join(site, page), markdownFrom(path))
writeFileSync(join(site, 'decisions/index.md'), listOfDecisions())
writeFileSync(join(site, 'llms.txt'), markdownFrom('docs/llms.txt'))
// `publish.ts` writes those of all versions.
writeFileSync(join(site, 'versions.json'), JSON.stringify([version]))
// GitHub Pages leaves out folders like `__mock` otherwise.
writeFileSync(join(site, '.nojekyll'), '')
// The frames of the playground are pages of `dist/`.
await import('../build-if-changed.ts')
await buildPlayground(join(site, 'playground'))
const dead = findDeadLinks(site, base)
if (dead.length > 0) {
  console.error(dead.join('\n'))
  process.exitCode = 1
}

/** The text of a page, with its links as VitePress expects them. */
function pageFrom(path: string): string {
  // Files and the playground are no pages that VitePress could open; it bundles pictures.
  const isPage = (link: string) => link !== PLAYGROUND && !/^\/files\/.*[^/](?<!\.svg)$/.test(link)
  const text = withLinks(path, (link) => (isPage(link) ? `(${link})` : `(${base}${link.slice(1)}){target="_self"}`))
  const description = descriptionOf(text)
  return description === undefined ? text : `---\ndescription: ${JSON.stringify(description)}\n---\n\n${text}`
}

/** The first sentences of a page, without marks. */
function descriptionOf(markdown: string): string | undefined {
  const paragraph = markdown.split(/\n\n+/).find((one) => /^(\*\*)?[\p{L}`[]/u.test(one))
  const plain = paragraph
    ?.replaceAll(/!?\[([^\]]*)\]\([^)]*\)(\{[^}]*\})?/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .replaceAll(/\s+/g, ' ')
  if (plain === undefined || plain.length <= LONGEST_DESCRIPTION) return plain
  return `${plain.slice(0, LONGEST_DESCRIPTION).replace(/\s\S*$/, '')}…`
}

/** The text of a page, with links that lead to the Markdown of others. */
function markdownFrom(path: string): string {
  const home = process.env.DOCS_URL ?? '/'
  return withLinks(path, (link) => `(${link.startsWith('/') ? home + link.slice(1) : link})`)
}

function withLinks(path: string, write: (link: string) => string): string {
  const markdown = readFileSync(join(root, path), 'utf8')
  // Code is left alone.
  return markdown
    .split(/(^```[^]*?^```$)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replaceAll(/\]\(([^)\s]+)\)/g, (_link, to: string) => `]${write(linkFrom(path, to))}`),
    )
    .join('')
}

function listOfDecisions(): string {
  const rows = [...pages].filter(([path]) => path.startsWith('decisions/')).toSorted()
  const titles = rows.map(([path, page]) => {
    const [, title = path] = /^# (.*)/.exec(readFileSync(join(root, path), 'utf8')) ?? []
    return `- [${title}](/${page})`
  })
  return `# Decisions\n\nWhy Standin is as it is, and what was rejected.\n\n${titles.join('\n')}\n`
}

function linkFrom(path: string, link: string): string {
  if (/^([a-z]+:|#)/.test(link)) return link
  const [target = '', anchor] = link.split('#')
  const file = posix.normalize(posix.join(dirname(path), target))
  if (file.startsWith('docs/images/')) return `/images/${basename(file)}`
  if (file === 'playground') return PLAYGROUND
  if (/^decisions\/?$/.test(file)) return '/decisions/'
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
