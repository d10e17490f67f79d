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

test('a setting that is a list has a box for each word', async () => {
  const { behaviours } = await tester.control.getBehaviours()
  const { id, setting, options } = behaviours.find(
    (one) => typeof one.options === 'object' && one.options !== null && 'list' in one.options,
  )!
  const words = (options as { readonly list: { readonly of: readonly string[] } }).list.of
  const held = setting as readonly string[]
  const page = await tester.open(`behaviours/${id}`)
  const boxes = page.getByRole('group', { name: id }).getByRole('checkbox')
  await expect.poll(() => boxes.count()).toBe(words.length)
  const [word] = held as [string]
  await page.getByRole('checkbox', { name: word, exact: true }).uncheck()
  await expect.poll(overrides).toMatchObject({ [id]: held.filter((one) => one !== word) })
  await page.getByRole('checkbox', { name: word, exact: true }).check()
  await expect.poll(overrides).toMatchObject({ [id]: words.filter((one) => held.includes(one)) })
})

test.for(['light', 'dark'] as const)('axe-core finds nothing serious in the %s page', async (colorScheme) => {
  const page = await tester.open('behaviours/page.last', { colorScheme })
  await page.getByRole('radio', { name: 'null' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})
