import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const SCRIPT = readFileSync(new URL('find-layout-problems.js', import.meta.url), 'utf8')

/** Layout problems that axe-core does not check: a page that scrolls sideways, and text that is cut off. */
export function findLayoutProblems(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(SCRIPT)
}
