/** Makes `social.png`, which chats and feeds show beside a link to the docs: `node scripts/docs-site/social-picture.ts`. It needs Chromium. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const root = join(import.meta.dirname, '../..')
const dataOf = (path: string, type: string) =>
  `data:${type};base64,${readFileSync(join(root, path)).toString('base64')}`

const HTML = `<!doctype html>
<style>
  * { box-sizing: border-box; margin: 0; }
  body { display: grid; grid-template-columns: 540px 1fr; width: 1200px; height: 630px; overflow: hidden;
    background: linear-gradient(120deg, #14152b, #27264a); color: #fff; font-family: system-ui, 'DejaVu Sans', sans-serif; }
  main { align-self: center; padding-left: 64px; }
  header { display: flex; align-items: center; gap: 18px; font-size: 44px; font-weight: 700; }
  h1 { margin: 34px 0 22px; font-size: 50px; line-height: 1.14; }
  p { font-size: 25px; line-height: 1.4; color: #cfcdf5; }
  .shot { align-self: center; margin-left: 44px; width: 900px; border-radius: 14px; box-shadow: 0 20px 70px #0009; }
</style>
<main>
  <header><img src="${dataOf('console/public/icon.svg', 'image/svg+xml')}" width="60" height="60" />Standin</header>
  <h1>A server that remembers, for your tests</h1>
  <p>A stateful mock server for any OpenAPI contract, with a clock, faults and sandboxes</p>
</main>
<img class="shot" src="${dataOf('docs/images/console-requests.webp', 'image/webp')}" />`

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
await page.setContent(HTML, { waitUntil: 'load' })
await page.screenshot({ path: join(import.meta.dirname, 'social.png') })
await browser.close()
