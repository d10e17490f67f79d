import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'

let tester: ConsoleTester

beforeAll(async () => {
  tester = await startConsole()
})

afterAll(() => tester.close())

const overrides = async () => (await tester.control.getBehaviours()).overrides

test('a behaviour is found by words, changed, and set back', async () => {
  const page = await tester.open('behaviours')
  await page.getByLabel('Filter behaviours').fill('last page marked')
  await page.getByRole('link', { name: /How is the last page marked/ }).click()
  await page.getByRole('radio', { name: 'null' }).check()
  await expect.poll(overrides).toEqual({ 'page.last': 'null' })
  await page.getByRole('link', { name: /changed/ }).waitFor()
  await page.getByRole('button', { name: 'Back to the setting at start' }).click()
  await expect.poll(overrides).toEqual({})
})

test('the parts of a setting are fields, and what is wrong with one is said', async () => {
  const { behaviours } = await tester.control.getBehaviours()
  const { id, setting } = behaviours.find(
    ({ options }) => typeof options === 'object' && options !== null && 'numbers' in options,
  )!
  const [[name, value]] = Object.entries(setting as Record<string, number>) as [[string, number]]
  const page = await tester.open(`behaviours/${id}`)
  const field = page.getByRole('spinbutton', { name: new RegExp(`^${name},`) })
  await field.fill('-7')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('alert').waitFor()
  expect(await field.inputValue()).toBe('-7')
  await field.fill(String(value + 1))
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(overrides).toMatchObject({ [id]: { [name]: value + 1 } })
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
  const page = await tester.open('behaviours/page.last', { colorScheme })
  await page.getByRole('radio', { name: 'null' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
