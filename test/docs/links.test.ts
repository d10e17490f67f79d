import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGES = ['*.md', 'docs/**/*.{md,txt}', 'decisions/*.md', 'examples/*/*.md', 'skills/**/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: ROOT }),
)

test.each(PAGES)('the links of %s lead somewhere', (page) => {
  const path = join(ROOT, page)
  const broken = linksOf(readFileSync(path, 'utf8')).filter((link) => !leadsSomewhere(path, link))
  expect(broken).toEqual([])
})

test.each(['README.md', 'docs/llms.txt'])('%s leads to every page of docs', (index) => {
  const linked = linksOf(readFileSync(join(ROOT, index), 'utf8')).map((link) =>
    resolve(dirname(join(ROOT, index)), link),
  )
  const pages = globSync('docs/*.md', { cwd: ROOT }).filter((page) => !page.includes('/adding-'))
  expect(pages.filter((page) => !linked.includes(join(ROOT, page)))).toEqual([])
})

test('each decision has a number of its own, which its heading tells', () => {
  const decisions = globSync('decisions/*.md', { cwd: ROOT })
  const numbers = decisions.map((page) => Number(/(\d{4})-/.exec(page)?.[1]))
  const headings = decisions.map((page) => Number(/^# (\d+)\. /.exec(readFileSync(join(ROOT, page), 'utf8'))?.[1]))
  expect(headings).toEqual(numbers)
  expect(new Set(numbers).size).toBe(numbers.length)
})

function leadsSomewhere(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? from : resolve(dirname(from), file)
  if (relative(ROOT, target).startsWith('..') || !existsSync(target)) return false
  return anchor === undefined || (statSync(target).isFile() && anchorsOf(readFileSync(target, 'utf8')).has(anchor))
}

/** Relative links and images outside of code. */
function linksOf(markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)]
  return new Set(
    headings.map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/``[^\n]*?``|`[^`\n]*`/g, '`')
}
