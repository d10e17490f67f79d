import { createHash } from 'node:crypto'
import { securityHeaders } from './security.ts'
import { PAGE_STYLE } from './page-style.ts'

/** HTML text. Only `html` makes it, so nothing gets into a page that was not escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type HtmlPart = string | number | Html | readonly Html[] | undefined

/** HTML with its values escaped, except those that are HTML already; undefined is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((text, at) => text + textOf(parts[at])).join(''))
}

function textOf(part: HtmlPart): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return String(part).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The style is inline, because a path for it could collide with one of the contract. */
export const PAGE_HEADERS = securityHeaders(
  `'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "'none'",
)

/** As `console/public/icon.svg`. */
const ICON = new Html(
  `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#4f46e5"/><circle cx="12.5" cy="16" r="6" fill="none" stroke="#fff" stroke-width="2.5"/><circle cx="19.5" cy="16" r="6" fill="#fff" fill-opacity=".9"/></svg>',
  )}`,
)

/** A complete HTML page. @param home the address of the start page, relative to the page */
export function page(title: string, home: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="${ICON}" />
        ${new Html(`<style>${PAGE_STYLE}</style>`)}
      </head>
      <body>
        <header>
          <a class="brand" href="${home}"><img src="${ICON}" alt="" width="22" height="22" />Standin</a>
        </header>
        <main>${content}</main>
      </body>
    </html>`.text.replaceAll(/^ +(?=<)/gm, '')
}
