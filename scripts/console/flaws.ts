import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const SCRIPT = readFileSync(new URL('flaws-in-page.js', import.meta.url), 'utf8')

/** What a reader would call broken in a page, besides what axe-core finds: a page that scrolls sideways, and text that is cut off. */
export function findFlaws(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(SCRIPT)
}
