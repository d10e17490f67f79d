import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ControlClient, createControlClient } from '../../../src/index.ts'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'

let tester: ConsoleTester
let control: ControlClient

beforeAll(async () => {
  tester = await startConsole({ clock: '2026-03-05T14:30:00Z', files: 20 })
  control = createControlClient({ url: tester.url })
})

afterAll(() => tester.close())

test('the only sandbox comes with a word on what others are for', async () => {
  const page = await tester.open('sandboxes')
  await page.getByRole('row', { name: /default/ }).waitFor()
  await page.getByText('A sandbox is a state of its own').waitFor()
})

test('fork the sandbox, change something, see what differs, and go back', async () => {
  const page = await tester.open('sandboxes')
  await page.getByRole('row', { name: /default/ }).click()
  await page.getByLabel('Name of the fork').fill('trial')
  await page.getByRole('button', { name: 'Fork and show it' }).click()
  const notice = page.getByRole('status').filter({ hasText: 'You are now in trial' })
  await notice.waitFor()
  await control.in('trial').armFaults({ kind: 'status', status: 503 })
  await control.in('trial').createFileSet({ id: 'own', files: [{ path: 'a.txt' }] })
  await page.getByRole('region', { name: 'Sandbox trial' }).getByRole('button', { name: 'What changed?' }).click()
  await page.getByRole('region', { name: 'File sets' }).getByText('own').first().waitFor()
  await page.getByLabel('Before').selectOption('default')
  await page.getByLabel('After').selectOption('trial')
  await page.getByRole('region', { name: 'Faults' }).getByText('new', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'File sets' }).getByText('own').first().waitFor()
  expect(page.url()).toContain('#/sandboxes/compare/default/trial')
  await page.getByText('As code').click()
  await page.getByText("createControlClient({ url: '" + tester.url + "' })").waitFor()
  // The way back is there in every view, also after a reload.
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.reload()
  await notice.getByRole('button', { name: 'Back to default' }).click()
  expect(await page.getByRole('combobox', { name: /^Sandbox/ }).inputValue()).toBe('default')
})

test('each line of code names the sandbox that it changes', async () => {
  await control.createSandbox({ name: 'lines' })
  const page = await tester.open('sandboxes/show/lines')
  await page.getByLabel('Name of a checkpoint').fill('first')
  await page.getByRole('button', { name: 'Take checkpoint' }).click()
  await page.getByText("await control.in('lines').createCheckpoint({ name: 'first' })").first().waitFor()
  await page.getByLabel('Name of the fork').fill('lines-too')
  await page.getByRole('button', { name: 'Fork and show it' }).click()
  await page.getByText("await control.forkSandbox('lines', { name: 'lines-too' })").first().waitFor()
})

test('a fork counts the requests that its journal shows', async () => {
  await control.createSandbox({ name: 'busy' })
  await fetch(`${tester.url}/no/such/path`, { headers: { 'X-Mock-Sandbox': 'busy' } })
  await control.forkSandbox('busy', { name: 'quiet' })
  expect(await control.getSandbox('busy')).toMatchObject({ requests: 1, recorded: 1 })
  expect(await control.getSandbox('quiet')).toMatchObject({ requests: 1, recorded: 0 })
  const page = await tester.open('sandboxes/show/quiet')
  await page.getByText('0 in its journal').waitFor()
})

test('Escape closes what is open', async () => {
  const page = await tester.open('sandboxes')
  await page.getByRole('row', { name: /default/ }).click()
  const detail = page.getByRole('region', { name: 'Sandbox default' })
  await detail.waitFor()
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })
})

test('a new sandbox has the seed that was entered, and is shown', async () => {
  const page = await tester.open('sandboxes')
  await page.getByRole('button', { name: 'New sandbox' }).click()
  await page.getByLabel('Name').fill('no good name')
  await page.getByLabel('Seed').fill('7')
  await page.getByRole('button', { name: 'Create and show it' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Name').fill('seeded')
  await page.getByRole('button', { name: 'Create and show it' }).click()
  await page.getByRole('heading', { name: 'seeded' }).waitFor()
  expect(await page.getByRole('combobox', { name: /^Sandbox/ }).inputValue()).toBe('seeded')
  expect(await control.getSandbox('seeded')).toMatchObject({ seed: 7 })
})

test('a sandbox with a time to live says when it expires', async () => {
  await control.createSandbox({ name: 'short-lived', ttl: '1h' })
  await control.createSandbox({ name: 'long-lived' })
  const page = await tester.open('sandboxes/show/short-lived')
  await page.getByText('UTC, unless a request uses it before').waitFor()
  const other = await tester.open('sandboxes/show/long-lived')
  await other.getByRole('region', { name: 'Sandbox long-lived' }).getByText('Requests').waitFor()
  expect(await other.getByText('Expires').count()).toBe(0)
})

test('a checkpoint is taken, restored and deleted', async () => {
  await control.createSandbox({ name: 'saved' })
  const page = await tester.open('sandboxes/show/saved')
  await page.getByText('None yet. Take one').waitFor()
  await page.getByLabel('Name of a checkpoint').fill('before')
  await page.getByRole('button', { name: 'Take checkpoint' }).click()
  await page.getByText('The checkpoint before was taken.').waitFor()
  await control.in('saved').createFileSet({ id: 'own', files: [{ path: 'a.txt' }] })
  await page.getByRole('button', { name: 'Restore the checkpoint before' }).click()
  await page.getByText('saved is as it was at the checkpoint before.').waitFor()
  expect((await control.in('saved').listFileSets()).fileSets.map(({ id }) => id)).not.toContain('own')
  const card = page.getByRole('listitem').filter({ hasText: 'before' })
  await card.getByRole('button', { name: 'Delete' }).click()
  expect((await control.in('saved').listCheckpoints()).checkpoints).toHaveLength(1)
  await card.getByRole('button', { name: 'Delete for good?' }).click()
  await page.getByText('None yet. Take one').waitFor()
})

test('a reset and a deletion ask once', async () => {
  await control.createSandbox({ name: 'doomed' })
  await control.in('doomed').createFileSet({ id: 'own', files: [{ path: 'a.txt' }] })
  const page = await tester.open('sandboxes/show/doomed')
  const sandbox = page.getByRole('region', { name: 'Sandbox doomed' })
  await sandbox.getByRole('button', { name: 'Switch to it' }).click()
  await sandbox.getByRole('button', { name: 'Reset' }).click()
  expect((await control.in('doomed').listFileSets()).fileSets.map(({ id }) => id)).toContain('own')
  await sandbox.getByRole('button', { name: 'Reset to the initial state?' }).click()
  await expect
    .poll(async () => (await control.in('doomed').listFileSets()).fileSets.map(({ id }) => id))
    .not.toContain('own')
  await sandbox.getByRole('button', { name: 'Delete' }).click()
  await sandbox.getByRole('button', { name: 'Delete for good?' }).click()
  await expect.poll(() => page.getByRole('row', { name: /doomed/ }).count()).toBe(0)
  expect(await page.getByRole('combobox', { name: /^Sandbox/ }).inputValue()).toBe('default')
  expect((await control.listSandboxes()).sandboxes.map(({ name }) => name)).not.toContain('doomed')
})

test('the default sandbox has no button to delete it', async () => {
  const page = await tester.open('sandboxes/show/default')
  await page.getByRole('button', { name: 'Reset' }).waitFor()
  expect(await page.getByRole('region', { name: 'Sandbox default' }).getByText('Delete', { exact: true }).count()).toBe(
    0,
  )
})

test('large sandboxes are not compared, and the page says why without loading them', async () => {
  await control.createSandbox({ name: 'large' })
  await control.in('large').createFileSet({ id: 'big', generate: 150_000 })
  const page = await tester.open('sandboxes')
  const states: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/__mock/state')) states.push(request.url())
  })
  await page.goto(`${tester.url}/__mock/#/sandboxes/compare/default/large`)
  await page.getByText(/large holds 150,\d+ files/).waitFor()
  expect(states).toEqual([])
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s pages', async (colorScheme) => {
  const page = await tester.open('sandboxes/show/trial', { colorScheme })
  await page.getByRole('heading', { name: 'Checkpoints' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.goto(`${tester.url}/__mock/#/sandboxes/compare/default/trial`)
  await page.getByRole('region', { name: 'Faults' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
