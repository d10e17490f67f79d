/** What of a built site leads nowhere. VitePress checks links between pages; these are all: anchors, pictures, files and the playground too. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/** @param base the path that the site is served under */
export function findDeadLinks(site: string, base: string): readonly string[] {
  // The playground follows the links of its frames.
  const pages = globSync('**/*.html', { cwd: site }).filter((page) => !page.includes('/__mock/'))
  const texts = new Map(pages.map((page) => [page, readFileSync(join(site, page), 'utf8')]))
  const anchors = new Map([...texts].map(([page, text]) => [page, anchorsIn(text)]))
  return [...texts].flatMap(([page, text]) =>
    linksIn(text).flatMap((link) => {
      const target = targetOf(link, base + page)
      if (target === undefined) return []
      const [path = '', anchor = ''] = target.split('#')
      const file = path.startsWith(base) ? fileAt(site, path.slice(base.length)) : undefined
      if (file === undefined) return [`${page}: ${link} leads nowhere`]
      const isThere = anchor === '' || !file.endsWith('.html') || anchors.get(file)?.has(decodeURIComponent(anchor))
      // The fragments of the playground are documents, and those of its frames views.
      return isThere || file.startsWith('playground/') ? [] : [`${page}: ${link} has no such anchor`]
    }),
  )
}

function linksIn(html: string): readonly string[] {
  const withoutCode = html.replaceAll(/<script[^>]*>[^]*?<\/script>/g, '')
  const found = [...withoutCode.matchAll(/<(?:a|img|link|iframe)\b[^>]*?\s(?:href|src)="([^"]+)"/g)]
  return [...new Set(found.map(([, link = '']) => link.replaceAll('&amp;', '&')))]
}

/** The path and anchor on the site; undefined for links to elsewhere. */
function targetOf(link: string, page: string): string | undefined {
  if (/^(?:[a-z]+:|\/\/)/i.test(link)) return undefined
  if (link.startsWith('#')) return page + link
  return link.startsWith('/') ? link : posix.join(posix.dirname(page), link)
}

function fileAt(site: string, path: string): string | undefined {
  const relative = decodeURI(path.replace(/\?.*/, ''))
  return [relative, posix.join(relative, 'index.html')].find((one) =>
    statSync(join(site, one), { throwIfNoEntry: false })?.isFile(),
  )
}

function anchorsIn(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
}
