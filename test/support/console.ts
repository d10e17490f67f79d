import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import {
  type ControlClient,
  createControlClient,
  createStandin,
  type Standin,
  type StandinOptions,
} from '../../src/index.ts'

/** A stand-in, and a browser that looks at its console. */
export interface ConsoleTester {
  readonly standin: Standin
  readonly url: string
  readonly control: ControlClient
  /** Opens a view in a page of its own; fails the test on an error of the page. */
  open(view?: string, options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
}

/** @param standin created with the options when absent */
export async function startConsole(
  options: StandinOptions = {},
  standin = createStandin({ port: 0, ...options }),
): Promise<ConsoleTester> {
  const browser = await launchChromium()
  const url = await standin.start()
  return {
    standin,
    url,
    control: createControlClient({
      url,
      ...(options.controlToken === undefined ? {} : { token: options.controlToken }),
    }),
    async open(view = '', contextOptions = {}) {
      const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...contextOptions })
      const page = await context.newPage()
      page.on('pageerror', (error) => {
        throw error
      })
      await page.goto(`${url}/__mock/#/${view}`)
      await page.getByRole('status').getByText('live', { exact: true }).waitFor()
      return page
    },
    async close() {
      await browser.close()
      await standin.stop()
    },
  }
}

/** Chromium, where `scripts/install-browsers.sh` installs it. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** What axe-core finds serious or critical in a page: the rule and the elements. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // By the debugger's protocol, since the page's content security policy runs no other scripts.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
