import { expect, onTestFinished, test } from 'vitest'
import { launchChromium, startConsole } from '../../support/console.ts'
import { createStandin } from '../../../src/index.ts'

async function openPage(url: string, headers: Readonly<Record<string, string>> = {}) {
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.setExtraHTTPHeaders(headers)
  await page.goto(`${url}/__mock/`)
  return page
}

test('the page asks for the token, says when it is wrong, and keeps it', async () => {
  const standin = createStandin({ controlToken: 'open-sesame', port: 0 })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const page = await openPage(url)
  const dialog = page.getByRole('dialog', { name: 'A token is needed' })
  await dialog.getByLabel('Token').fill('wrong')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('The token is wrong.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Enter the token' }).click()
  await dialog.getByLabel('Token').fill('open-sesame')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.reload()
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
})

test('a dialog that was dismissed stays so when another request is refused late', async () => {
  const standin = createStandin({ controlToken: 'open-sesame', port: 0 })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const held = Promise.withResolvers<undefined>()
  await page.route('**/__mock/sandboxes', (route) => held.promise.then(() => route.continue()))
  await page.goto(`${url}/__mock/`)
  const dialog = page.getByRole('dialog', { name: 'A token is needed' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const late = page.waitForResponse('**/__mock/sandboxes')
  held.resolve(undefined)
  expect((await late).status()).toBe(401)
  await page.getByRole('link', { name: 'Faults' }).click()
  await page.getByRole('heading', { name: 'Arm a fault' }).waitFor()
  expect(await dialog.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Enter the token' }).click()
  // The same token as before is tried again, too: the stand-in may have been started anew.
  for (const token of ['wrong', 'wrong']) {
    await dialog.getByLabel('Token').fill(token)
    const refused = page.waitForResponse((response) => response.status() === 401)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await refused
    await dialog.getByText('The token is wrong.').waitFor()
  }
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('a browser elsewhere learns once why it sees nothing, and what to do', async () => {
  const standin = createStandin({ port: 0 })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const page = await openPage(url, { 'X-Forwarded-For': '203.0.113.7' })
  await page.getByRole('alert', { name: 'This browser may not use the control API' }).waitFor()
  await page.getByRole('link', { name: 'Faults' }).click()
  await page.getByRole('heading', { name: 'Arm a fault' }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(1)
  expect(await page.getByRole('alert').innerText()).toContain('--control-token')
})

test('a stand-in that stopped is said once, and the page goes on when it is back', async () => {
  const tester = await startConsole()
  onTestFinished(() => tester.close())
  const page = await tester.open('faults')
  await page.getByRole('spinbutton', { name: 'Status' }).fill('418')
  const port = Number(new URL(tester.url).port)
  await tester.standin.stop()
  await page.getByRole('alert', { name: 'The stand-in does not respond' }).waitFor()
  const next = createStandin({ port })
  await next.start()
  onTestFinished(() => next.stop())
  await page.getByRole('status').getByText('live', { exact: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  // What was typed is still there.
  expect(await page.getByRole('spinbutton', { name: 'Status' }).inputValue()).toBe('418')
})
