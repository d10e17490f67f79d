import { readFileSync } from 'node:fs'
import { allFakers } from '@faker-js/faker'
import request from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand, startCommand } from '../support/command.ts'
import { createStandin, type StandinOptions } from '../../src/index.ts'

const TEXT = { type: 'string' }
const PERSON = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', readOnly: true },
    firstName: TEXT,
    lastName: TEXT,
    fullName: TEXT,
    email: { type: 'string', format: 'email' },
    login: TEXT,
    phone: TEXT,
    company: TEXT,
    hobby: { type: 'string', 'x-faker': 'location.city' },
    address: {
      type: 'object',
      properties: { street: TEXT, city: TEXT, zip: TEXT, state: TEXT, country: TEXT, countryCode: TEXT },
    },
  },
}
const json = (schema: object) => ({ description: 'OK', content: { 'application/json': { schema } } })
const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'People', version: '1' },
  paths: {
    '/people': { get: { responses: { 200: json({ type: 'array', items: { $ref: '#/components/schemas/Person' } }) } } },
    '/people/{id}/suggestion': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { 'x-standin': 'generated', responses: { 200: json({ $ref: '#/components/schemas/Person' }) } },
    },
  },
  components: { schemas: { Person: PERSON } },
}

interface Person {
  firstName: string
  lastName: string
  fullName: string
  email: string
  login: string
  phone: string
  company: string
  hobby: string
  address: { street: string; city: string; zip: string; state: string; country: string; countryCode: string }
}

const standinIn = (locale: string | undefined, more: StandinOptions = {}) =>
  createStandin({
    contract: CONTRACT,
    clock: '2026-03-01T09:00:00Z',
    ...(locale === undefined ? {} : { locale }),
    ...more,
  })

async function peopleIn(locale: string | undefined, more?: StandinOptions): Promise<Person[]> {
  return (await request(standinIn(locale, more).app).get('/people')).body as Person[]
}

test('names, addresses, phone numbers and companies are those of the locale', async () => {
  const people = await peopleIn('de')
  const { person, location } = allFakers.de.definitions
  const firsts = [...(person.first_name.female ?? []), ...(person.first_name.male ?? [])]
  expect(people).toHaveLength(10)
  for (const { firstName, lastName, fullName, phone, address, hobby } of people) {
    expect(firsts).toContain(firstName)
    expect(person.last_name.generic).toContain(lastName)
    expect(fullName).toBe(`${firstName} ${lastName}`)
    expect(phone).toMatch(/^\+49\d+$/)
    expect(location.state).toContain(address.state)
    expect(address).toMatchObject({ country: 'Deutschland', countryCode: 'DE' })
    expect(address.zip).toMatch(/^\d{5}$/)
    expect(allFakers.en.definitions.location.city_name).not.toContain(hobby)
  }
  const joined = JSON.stringify(people)
  expect(joined).toMatch(/[äöüß]/)
  expect(JSON.stringify(await peopleIn('de'))).toBe(joined)
  expect(JSON.stringify(await peopleIn('de', { seed: 43 }))).not.toBe(joined)
})

test.each([
  ['fr', 'France', 'FR', /^\d{5}$/],
  ['de-at', 'Österreich', 'AT', /^\d{4}$/],
  ['pt_BR', 'Brasil', 'BR', /^\d{5}-\d{3}$/],
  ['en_GB', 'United Kingdom', 'GB', /^[A-Z\d]+ \d[A-Z\d]{2,3}$/],
  ['ja', '日本', 'JP', /^\d{3}-\d{4}$/],
])('%s: places are in %s', async (locale, country, countryCode, zip) => {
  const people = await peopleIn(locale)
  expect(people).toHaveLength(10)
  for (const { address } of people) {
    expect(address).toMatchObject({ country, countryCode })
    expect(address.zip).toMatch(zip)
  }
})

test.each(['de', 'pl', 'sv', 'ja', 'uk', 'zh_CN', 'tr'])(
  '%s: addresses of mail are ASCII and for examples',
  async (locale) => {
    for (const { email, login, fullName, firstName, lastName } of await peopleIn(locale)) {
      expect(email).toMatch(/^[a-z]+\.[a-z]+@example\.(?:com|net|org)$/)
      expect(email.startsWith(`${login}@`)).toBe(true)
      expect(fullName).toContain(firstName)
      expect(fullName).toContain(lastName)
    }
  },
)

test('the last name comes first where that is usual', async () => {
  for (const { fullName, firstName, lastName } of await peopleIn('ja'))
    expect(fullName).toBe(`${lastName} ${firstName}`)
  for (const { fullName, firstName, lastName } of await peopleIn('zh_CN')) expect(fullName).toBe(lastName + firstName)
})

test('stand-ins of one process do not disturb each other, and English is what it was', async () => {
  const apart = [await peopleIn('en'), await peopleIn('de'), await peopleIn('fr')]
  const apps = ['en', 'de', 'fr'].map((locale) => standinIn(locale).app)
  const together = await Promise.all(apps.map((app) => request(app).get('/people')))
  expect(together.map(({ body }) => body as unknown)).toEqual(apart)
  expect(apart[0]).toEqual(await peopleIn(undefined))
  const suggestions = await Promise.all(apps.map((app) => request(app).get('/people/1/suggestion')))
  const [english, german, french] = suggestions.map(({ body }) => (body as Person).address.country)
  expect([german, french]).toEqual(['Deutschland', 'France'])
  expect(english).not.toBe(german)
})

test('places of stubs that name a method of Faker are filled by the locale', async () => {
  const stubs = [{ operation: 'GET /people', respond: { body: [{ id: 1, company: '{$faker.location.state}' }] } }]
  const [person] = await peopleIn('de', { stubs })
  expect(allFakers.de.definitions.location.state).toContain(person?.company)
})

test('generated files have names of the locale, which a state keeps', async () => {
  const pathsOf = async (standin: ReturnType<typeof createStandin>) => {
    const { files } = await standin.control.listFiles('demo', { limit: 1000 })
    return files.map(({ path }) => path)
  }
  const options = { files: 400, clock: '2026-03-01T09:00:00Z' }
  const german = createStandin({ ...options, locale: 'de' })
  const paths = await pathsOf(german)
  expect(paths.join('\n')).toMatch(/[äöüß]/)
  expect(paths.every((path) => path.normalize() === path)).toBe(true)
  const english = createStandin(options)
  expect(await pathsOf(english)).not.toEqual(paths)
  const state = await german.control.getState()
  await english.control.putState(state)
  expect(await pathsOf(english)).toEqual(paths)
  const wrong = structuredClone(state)
  Object.assign(wrong.fileSets[0]?.generated?.choices ?? {}, { locale: 'dee' })
  await expect(english.control.putState(wrong)).rejects.toThrow('locale')
})

test('a replay and a data directory belong to their locale', async () => {
  const { path, remove } = createDirectory({ 'openapi.json': JSON.stringify(CONTRACT) })
  onTestFinished(remove)
  const first = standinIn('de', { data: `${path}/data` })
  await first.control.getState()
  await first.stop()
  expect(() => standinIn('fr', { data: `${path}/data` })).toThrow(
    'it was created with --locale de, and this start has fr.',
  )
  const german = standinIn('de')
  await request(german.app).get('/people')
  const replay = (await german.control.getReplay()) as { settings: { locale?: string } }
  expect(replay.settings.locale).toBe('de')
})

test('the command takes it by flag, by file and by variable', async () => {
  const { path, remove } = createDirectory({
    'openapi.json': JSON.stringify(CONTRACT),
    'standin.yaml': 'locale: de\ncontract: openapi.json\nport: 0\n',
  })
  onTestFinished(remove)
  const peopleOf = async (args: string[], env: Record<string, string> = {}) => {
    const server = startCommand(['serve', '--port', '0', '--clock', '2026-03-01T09:00:00Z', ...args], {
      cwd: path,
      env,
    })
    onTestFinished(() => void server.child.kill())
    await server.until(/http:\/\/\S+/)
    const [url = ''] = /http:\/\/[\d.:]+/.exec(server.stdout()) ?? []
    return await (await fetch(`${url}/people`)).json()
  }
  const expected = await peopleIn('de')
  expect(await peopleOf(['--config', 'standin.yaml'])).toEqual(expected)
  expect(await peopleOf(['--contract', 'openapi.json', '--locale', 'de'])).toEqual(expected)
  expect(await peopleOf(['--contract', 'openapi.json'], { STANDIN_LOCALE: 'fr' })).toEqual(await peopleIn('fr'))
})

test.each([
  [
    'dee',
    /^standin: standin\.yaml:2: locale: Faker has no locale `dee`\. Did you mean de\? These come with Standin: en, da, de,/m,
  ],
  ['pt', /^standin: standin\.yaml:2: locale: Faker has no locale `pt`\. There are pt_BR, pt_PT\.$/m],
  [
    'cs_CZ',
    /^standin: standin\.yaml:2: locale: `cs_CZ` does not come with Standin\. Install Faker where you start Standin: npm install/m,
  ],
  ['7', /^standin: standin\.yaml:2: locale: Expected the name of a locale such as de or pt_BR; got 7\.$/m],
])('%s is refused', async (locale, message) => {
  const { path, remove } = createDirectory({ 'standin.yaml': `port: 0\nlocale: ${locale}\n` })
  onTestFinished(remove)
  const check = runCommand(['check', '--config', 'standin.yaml'], { cwd: path })
  expect(await check.ended).not.toBe(0)
  expect(check.stderr() + check.stdout()).toMatch(message)
})

test('another locale is taken from the Faker that the project has', async () => {
  // The tests run in a project that has it.
  const people = await peopleIn('cs_CZ')
  for (const { address } of people) expect(address).toMatchObject({ country: 'Česko', countryCode: 'CZ' })
})

test('the docs name the locales that come with Standin', () => {
  const page = readFileSync(new URL('../../docs/own-contract.md', import.meta.url), 'utf8')
  const [, sentence = ''] = /^Standin comes with (.*?), each with/ms.exec(page) ?? []
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(20)
  expect(() => createStandin({ locale: 'dee' })).toThrow(`These come with Standin: en, ${named.join(', ')}.`)
})
