import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDirectory, runCommand } from '../../support/command.ts'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'

let tester: ConsoleTester
let project: ReturnType<typeof createDirectory>

beforeAll(async () => {
  tester = await startConsole()
  project = createDirectory(FILES)
  const args = ['mutate', '--contract', 'notes.yaml', '--format', 'stryker', '--out', 'mutation.json']
  const only = [
    '--only',
    ['slow', ...['id other', 'place', 'text', '100%'].map((name) => `/*/${name}`)]
      .map((id) => `listNotes ${id}`)
      .join(),
  ]
  const ran = runCommand([...args, ...only, '--', process.execPath, 'notes.js'], { cwd: project.path })
  expect(await ran.ended, ran.stderr()).toBe(0)
})

afterAll(async () => {
  project.remove()
  await tester.close()
})

const FILES = {
  'notes.yaml': `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      responses:
        '200':
          description: All notes.
          content:
            application/json:
              schema:
                type: array
                items:
                  type: object
                  required: [id, text]
                  properties: { id: { type: integer }, text: { type: string }, place: { type: string }, '100%': { type: boolean } }`,
  // It takes for granted that notes have a place, and does not look at their text.
  'notes.js': `
    const response = await fetch(process.env.STANDIN_URL + '/notes')
    const notes = await response.json()
    if (notes[0].id !== 1) throw new Error('Another note')
    notes.map(({ place }) => place.trim())`,
}

async function openReport(options = {}) {
  const page = await tester.open('mutations', options)
  await page.getByText('Which change of the service would your tests not notice?').waitFor()
  await page.getByLabel('Open a report').setInputFiles(join(project.path, 'mutation.json'))
  await page.getByText('of the changes are noticed or coped with').waitFor()
  return page
}

test('a report shows what was found, where it showed, the tests that looked on, and a test that would notice', async () => {
  const page = await openReport()
  await page.getByRole('heading', { name: 'Your client relies on an assumption (1)' }).waitFor()
  await page.getByRole('link', { name: /^listNotes \/\*\/place absent/ }).click()
  const assumption = page.getByRole('region', { name: 'Change listNotes /*/place absent' })
  await assumption.getByText('turned red').waitFor()
  await assumption.getByText(/TypeError: Cannot read properties of undefined/).waitFor()
  await assumption.getByText('GET', { exact: true }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: /^listNotes \/\*\/text other/ }).click()
  const gap = page.getByRole('region', { name: 'Change listNotes /*/text other' })
  await gap.getByText('no test would notice', { exact: true }).waitFor()
  await gap.getByText('stayed green').waitFor()
  await gap.getByText('/0/text', { exact: true }).waitFor()
  await gap.getByRole('group', { name: 'A test that would notice' }).getByText("fetch('/notes'").waitFor()
  await gap
    .getByRole('group', { name: 'Try it again' })
    .getByText("standin mutate --contract notes.yaml --only 'listNotes /*/text other' -- ")
    .waitFor()
})

test('findings are filtered, walked through by keys, and shown with all other changes', async () => {
  const page = await openReport()
  const links = page.getByRole('region', { name: 'Mutations' }).getByRole('link')
  const findings = await links.count()
  await page.getByRole('button', { name: 'All changes' }).click()
  await expect.poll(() => links.count()).toBeGreaterThan(findings)
  await page.getByRole('button', { name: 'Findings' }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: /^Change/ }).waitFor()
  await page.keyboard.press('j')
  await page.waitForURL(/#\/mutations\/listNotes/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('100%')
  await expect.poll(() => links.allTextContents()).toEqual([expect.stringContaining('listNotes /*/100% other')])
  await links.click()
  await page.getByRole('region', { name: 'Change listNotes /*/100% other' }).waitFor()
  await page.getByLabel('Filter changes').fill('nothing of that name')
  await page.getByText('No change matches the filter').waitFor()
})

test('another file is refused, and says how a report is written', async () => {
  const page = await tester.open('mutations')
  await page.getByLabel('Open a report').setInputFiles(join(project.path, 'notes.js'))
  await page.getByText('Write one with standin mutate --format stryker --out mutation.json.').waitFor()
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
  const page = await openReport({ colorScheme })
  await page.getByRole('link', { name: /^listNotes \/\*\/place absent/ }).click()
  await page.getByText('turned red').waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
