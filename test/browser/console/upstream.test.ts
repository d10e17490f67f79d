import { expect, test } from 'vitest'
import { startConsole } from '../../support/console.ts'
import { createPartial, startService } from '../../support/servers/proxy.ts'
import { KEY_HEADER, SEARCH } from '../../support/tester.ts'

test('a request says who handled it, and one click lets the other do so from now on', async () => {
  const service = await startService((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"files":[]}')
  })
  const tester = await startConsole({}, createPartial(service))
  const search = () =>
    fetch(`${tester.url}${SEARCH}/demo/files/search?limit=1`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', [KEY_HEADER]: 'any' },
      body: '{}',
    })
  try {
    await search()
    const page = await tester.open('requests')
    await page.getByRole('row', { name: /200 POST.* upstream/ }).click()
    await page.getByText(`Handled by the service ${service}.`).waitFor()
    await page.getByRole('button', { name: 'Handle it here' }).click()
    await page.getByText('From now on, this server handles searchFiles.').waitFor()
    expect((await search()).headers.get('x-mock-answered-by')).toBe('mock')
    await page
      .getByRole('row', { name: /200 POST/ })
      .filter({ hasNotText: 'upstream' })
      .click()
    await page.getByText('Handled by this server, not by the service behind it.').waitFor()
    await page.getByRole('button', { name: 'Let the service handle it' }).click()
    await page.getByText('From now on, the service handles searchFiles.').waitFor()
    expect((await search()).headers.get('x-mock-answered-by')).toBe('upstream')
  } finally {
    await tester.close()
  }
})
