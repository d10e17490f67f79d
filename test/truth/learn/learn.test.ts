import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { createDirectory, runCommand } from '../../support/command.ts'
import { CLINIC_CONTRACT, startClinic } from './clinic.ts'
import { create, type Exchanged, get, harOf, run, seen, type Sent, usePets, withoutIds } from './session.ts'

const folder = createDirectory({ 'clinic.json': JSON.stringify(CLINIC_CONTRACT) })
afterAll(folder.remove)

const PROFILE = join(folder.path, 'clinic-profile.yaml')
const CONTRACT = join(folder.path, 'clinic.json')

interface Profile {
  readonly learned: {
    readonly hints?: Readonly<Record<string, object>>
    readonly schemas?: Readonly<Record<string, Readonly<Record<string, object>>>>
    readonly statuses: readonly object[]
    readonly accepts: Readonly<Record<string, readonly string[]>>
    readonly forms: Readonly<Record<string, Readonly<Record<string, object>>>>
    readonly examples: readonly object[]
  }
  readonly behaviours: Readonly<Record<string, unknown>>
  readonly evidence: { readonly open: readonly string[] }
  readonly fixture: { readonly collections: Readonly<Record<string, readonly object[]>> }
}

describe('standin learn', () => {
  let stdout = ''
  let profile: Profile
  beforeAll(async () => {
    const clinic = await startClinic()
    const recorded = await run(clinic.url, usePets(['Rex', 'Tom', 'Kitty', 'Hasso']))
    await clinic.stop()
    const { path, remove } = createDirectory({ 'session.har': JSON.stringify(harOf(recorded)) })
    const command = runCommand(['learn', '--contract', CONTRACT, '--har', join(path, 'session.har'), '--out', PROFILE])
    await command.ended
    remove()
    expect(command.stderr().replaceAll(/^learn: .*\n/gm, '')).toBe('')
    stdout = command.stdout()
    profile = parse(readFileSync(PROFILE, 'utf8')) as Profile
  })

  test('a stand-in with the profile responds as the service does, to requests that were not recorded', async () => {
    const session = () => usePets(['Bello', 'Mimi', 'Findus', 'Petz'])
    const clinic = await startClinic()
    onTestFinished(() => clinic.stop())
    const standin = createStandin({ contract: CONTRACT, documents: 0, profile: PROFILE })
    onTestFinished(() => standin.stop())
    const [theirs, ours] = await Promise.all([run(clinic.url, session()), run(await standin.start(), session())])
    const shown = (all: readonly Exchanged[]) =>
      all.map(({ sent: { method, body }, received }) => [method, body, withoutIds(received)])
    const isLearnt = ({ sent }: Exchanged) => sent.path !== '/about'
    expect(shown(ours.filter(isLearnt))).toEqual(shown(theirs.filter(isLearnt)))
  })

  test('it says how many responses are as the service’s, before and after', () => {
    expect(stdout).toMatch(/^28 exchanges with http:\/\/clinic\.example$/m)
    expect(stdout).toMatch(/^by the contract: {3}\d+ of 28 statuses; of \d+ bodies \d+ have the same members/m)
    expect(stdout).toMatch(
      /^with this profile: 27 of 28 statuses; of 22 bodies 21 have the same members, and 21 the same values$/m,
    )
    expect(stdout).toContain(`standin serve --contract ${CONTRACT} --documents 0 --profile ${PROFILE}`)
  })

  test('nothing that tells people apart, and what is open instead', () => {
    expect(readFileSync(PROFILE, 'utf8')).not.toContain('ann.cole')
    expect(stdout).toMatch(/^ {2}GET \/about: 404; the service responded 200 \(once, first /m)
  })

  test('statuses that the contract does not have', () => {
    expect(profile.learned.statuses).toContainEqual({ operation: 'createPet', when: 'changed', from: 200, status: 201 })
  })

  test('what requests may have although the contract says otherwise', () => {
    expect(profile.learned.accepts).toEqual({ createPet: ['enum /species'] })
  })

  test('members that the contract does not have, for all responses of a schema', () => {
    expect(profile.learned.schemas?.['#/components/schemas/Pet']).toMatchObject({
      '/properties/kind': { type: 'string', default: 'pet' },
      '/properties/href': { type: 'string' },
    })
  })

  test('errors as templates', () => {
    expect(profile.learned.forms['error 422 request-invalid/body required']).toEqual({
      '': { set: { errors: { '{$violation.member}': ['is required'] } } },
    })
    // Of what is wrong in another way, only the form is known.
    expect(profile.learned.forms['error 422 request-invalid/body']).toEqual({
      '': { set: { errors: { '{$violation.member}': ['{$problem}'] } } },
    })
    expect(profile.learned.forms['error 404 item-not-found']).toEqual({
      '': { set: { error: { code: 'NOT_FOUND', message: 'No {$path.words} has the number {$path.key}.' } } },
    })
  })

  test('what was there at first, and what only a recording tells', () => {
    expect(profile.fixture.collections).toEqual({
      pets: [],
      vets: [
        { id: 1, field: 'surgery' },
        { id: 2, field: 'dentistry' },
      ],
    })
    expect(profile.learned.examples).toEqual([
      { method: 'GET', url: '/version', status: 200, body: { version: '4.2', edition: 'community' } },
    ])
  })
})

describe('a profile that was changed by hand', () => {
  const start = (learned: object) => () =>
    createStandin({ contract: CLINIC_CONTRACT, profile: { behaviours: {}, learned } })

  test('wrong parts are refused with their place, what was expected and what was received', () => {
    expect(start({ status: [] })).toThrow(
      'options.profile:1: /learned/status: Expected one of schemas, hints, statuses, accepts, forms, examples; got "status".',
    )
    expect(start({ statuses: [{ operation: 'createPet', status: 201 }] })).toThrow(
      '/learned/statuses/0: Expected operation or method, when, from and status, such as { operation: createPet, when: changed, from: 200, status: 201 }; got {',
    )
    expect(start({ schemas: { '#/components/schemas/Pet': { '/properties/kind': 'pet' } } })).toThrow(
      '/learned/schemas/#~1components~1schemas~1Pet/~1properties~1kind: Expected keywords such as { type: string }; got "pet".',
    )
    expect(start({ schemas: { '#/components/schemas/Pet': { '/properties/kind': { type: 'strin' } } } })).toThrow(
      '/learned/schemas/#~1components~1schemas~1Pet/~1properties~1kind/type: Expected one of string, number, integer, boolean, object, array, null, or a list of them; got "strin".',
    )
    expect(start({ schemas: { '#/components/schemas/Pet': { '/kind': { type: 'string' } } } })).toThrow(
      'Expected places of schemas such as /properties/name or /items; got "/kind".',
    )
    expect(start({ accepts: { createPet: 'enum' } })).toThrow(
      '/learned/accepts/createPet: Expected a list of texts such as `required /name`; got "enum".',
    )
    expect(start({ forms: { 'getPet 200': { '/kind': { replace: 1 } } } })).toThrow(
      '/learned/forms/getPet 200/~1kind/replace: Expected one of drop, add, set, map; got "replace".',
    )
    expect(start({ forms: { 'getPet 200': { '/kind': { add: '{$request.bdoy}' } } } })).toThrow(
      '/learned/forms/getPet 200/~1kind/add: Expected places such as {$request.path.id}, {$request.body#/name}, {$path.key}, {$item#/id}, {$now} or {$uuid}; got "{$request.bdoy}".',
    )
    expect(start({ forms: { 'getPet 200': { '/kind': { add: '{$now' } } } })).toThrow('got "{$now".')
    expect(start({ examples: [{ url: '/version' }] })).toThrow(
      '/learned/examples/0: Expected method, url, status and body',
    )
  })

  test('names that the contract does not have are refused', () => {
    expect(start({ statuses: [{ operation: 'createPets', when: 'changed', from: 200, status: 201 }] })).toThrow(
      '/learned/statuses/0/operation: The contract has no operation "createPets". Did you mean createPet?',
    )
    expect(start({ statuses: [{ method: 'POTS', when: 'ok', from: 200, status: 201 }] })).toThrow(
      '/learned/statuses/0/method: Expected one of GET, HEAD, POST',
    )
    expect(start({ forms: { 'gtePet 200': { '/kind': { add: 1 } } } })).toThrow(
      'no operation "gtePet". Did you mean getPet?',
    )
    expect(start({ forms: { '#/components/schemas/Pets': {} } })).toThrow('Expected a schema of the contract')
    expect(start({ forms: { 'items of /pest': {} } })).toThrow('Expected a path of the contract')
    expect(start({ forms: { 'all things': {} } })).toThrow('The contract has no operation "all things".')
    expect(start({ forms: { 'all items': { '/kind': { add: '{$path.nuon}' } } } })).toThrow('{$path.nuon}')
    expect(start({ schemas: { '#/components/schemas/Pets': {} } })).toThrow('Expected a schema of the contract')
    expect(start({ schemas: { 'cratePet body': {} } })).toThrow('Did you mean createPet?')
    expect(start({ schemas: { createPet: {} } })).toThrow(
      '/learned/schemas/createPet: Expected a name such as #/components/schemas/Pet, createPet 201 or createPet body; got "createPet".',
    )
    expect(start({ forms: { 'getPet 200': { kind: { add: 1 } } } })).toThrow('Expected JSON pointers such as /name')
    expect(start({ examples: [{ method: 'GET', url: 'version', status: 200 }] })).toThrow(
      'Expected a path such as /version',
    )
  })

  test('a profile may be a fixture alone, whose members are no mistakes', async () => {
    const fixture = { collections: { vets: [{ id: 3, field: 'bees', since: 2020 }] } }
    const standin = createStandin({ contract: CLINIC_CONTRACT, profile: { fixture } })
    onTestFinished(() => standin.stop())
    expect(standin.notes.filter((note) => note.includes('since'))).toEqual([])
    expect(await (await standin.fetch('/vets/3')).json()).toMatchObject({ id: 3, field: 'bees' })
  })

  test('a response says which part of the profile made it what it is', async () => {
    const standin = createStandin({
      contract: CLINIC_CONTRACT,
      documents: 0,
      profile: {
        behaviours: {},
        learned: {
          statuses: [{ operation: 'createPet', when: 'changed', from: 200, status: 201 }],
          forms: { '#/components/schemas/Pet': { '/kind': { add: 'pet' }, '/nickname': { map: [[null, 'none']] } } },
        },
      },
    })
    onTestFinished(() => standin.stop())
    const made = await standin.fetch('/pets', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Rex' }),
    })
    expect(made.status).toBe(201)
    expect(made.headers.get('x-mock-learned')).toBe('status 200, schema')
    const pet = (await made.json()) as { readonly id: number }
    expect(pet).toMatchObject({ name: 'Rex', kind: 'pet', nickname: 'none' })
    const read = await standin.fetch(`/pets/${pet.id}`)
    expect(await read.json()).toEqual(pet)
    expect(read.status).toBe(200)
  })

  test('what an operation shows as a whole stays as it is, whatever its schema says', async () => {
    const forms = {
      '#/components/schemas/Pet': { '/nickname': { drop: true } },
      'getPet 200': { '': { set: { id: 1, nickname: 'R' } } },
    }
    const standin = createStandin({ contract: CLINIC_CONTRACT, documents: 1, profile: { learned: { forms } } })
    onTestFinished(() => standin.stop())
    const [pet] = (await (await standin.fetch('/pets')).json()) as { readonly id: number }[]
    expect(pet).not.toHaveProperty('nickname')
    expect(await (await standin.fetch(`/pets/${pet?.id}`)).json()).toEqual({ id: 1, nickname: 'R' })
  })

  test('a sentence that names what the request does not have gives way to the own words', async () => {
    const standin = createStandin({
      contract: CLINIC_CONTRACT,
      documents: 0,
      profile: { learned: { forms: { 'error 404': { '': { set: { error: 'No pet {$request.path.petId}.' } } } } } },
    })
    onTestFinished(() => standin.stop())
    const errorOf = async (path: string) => (await (await standin.fetch(path)).json()) as { readonly error: string }
    expect(await errorOf('/pets/7')).toEqual({ error: 'No pet 7.' })
    expect((await errorOf('/vets/7')).error).toMatch(/^There is no vet 7/)
  })

  test('what a client wrote stays as it was written', async () => {
    const standin = createStandin({
      contract: CLINIC_CONTRACT,
      documents: 0,
      profile: { behaviours: {}, learned: { forms: { '#/components/schemas/Pet': { '/nickname': { add: 'none' } } } } },
    })
    onTestFinished(() => standin.stop())
    const made = await standin.fetch('/pets', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Rex', nickname: 'Rexy' }),
    })
    expect(await made.json()).toMatchObject({ nickname: 'Rexy' })
  })
})

describe('what a recording has little of', () => {
  async function learnFrom(exchanged: readonly Exchanged[]): Promise<Profile & { readonly stdout: string }> {
    const { path, remove } = createDirectory({ 'some.har': JSON.stringify(harOf(exchanged)) })
    onTestFinished(remove)
    const out = join(path, 'out.yaml')
    const command = runCommand(['learn', '--contract', CONTRACT, '--har', join(path, 'some.har'), '--out', out])
    expect([await command.ended, command.stderr().replaceAll(/^learn: .*\n/gm, '')]).toEqual([0, ''])
    return { ...(parse(readFileSync(out, 'utf8')) as Profile), stdout: command.stdout() }
  }

  test('values of the stand-in are not taken for those of the service', async () => {
    const { learned } = await learnFrom([seen(get('/vets'), 200, []), seen(get('/version'), 200, { version: '4.2' })])
    expect(learned.examples).toEqual([{ method: 'GET', url: '/version', status: 200, body: { version: '4.2' } }])
  })

  test('what a request refers to was there before', async () => {
    const vets = [
      { id: 1, field: 'bees' },
      { id: 2, field: 'birds' },
    ]
    const pet = { id: 9, name: 'Rex', nickname: null }
    const { fixture } = await learnFrom([
      seen(get('/vets'), 200, vets),
      seen(create({ name: 'Rex', vetId: 2 }), 200, pet),
    ])
    expect(fixture.collections.vets).toEqual(vets)
  })

  test('an item was there before, although one of another collection was created with its id as a name', async () => {
    const vets = [{ id: 2, field: 'birds' }]
    const { fixture } = await learnFrom([
      seen(create({ name: '2' }), 200, { id: 9, name: '2', nickname: null }),
      seen(get('/vets'), 200, vets),
    ])
    expect(fixture.collections.vets).toEqual(vets)
  })

  test('a member that clients send and no later response has is hidden', async () => {
    const names = ['Rex', 'Tom', 'Ada', 'Bea', 'Eve']
    const { learned } = await learnFrom([
      ...names.map((name, id) => seen(create({ name, nickname: `${name}y` }), 200, { id, name, nickname: `${name}y` })),
      ...names.map((name, id) => seen(get(`/pets/${id}`), 200, { id, name })),
    ])
    expect(learned.forms['getPet 200']).toEqual({ '/nickname': { drop: true } })
  })

  test('what new items have that no client sent, and what may be null', async () => {
    const pet = (id: number, name: string) => ({
      id,
      name,
      species: 'unknown',
      nickname: null,
      owner: null,
      visits: [],
    })
    const { learned } = await learnFrom([
      seen(create({ name: 'Rex' }), 200, pet(1, 'Rex')),
      seen(create({ name: 'Tom' }), 200, pet(2, 'Tom')),
      seen({ method: 'PATCH', path: '/pets/1', body: { name: 'Rexy' } }, 200, {
        ...pet(1, 'Rexy'),
        species: 'dog',
        owner: 'bob',
      }),
    ])
    expect(learned.schemas?.['#/components/schemas/Pet']).toEqual({
      '/properties/species': { default: 'unknown' },
      '/properties/nickname': { default: null },
      '/properties/owner': { type: ['null', 'string'], default: null },
      '/properties/visits': { type: 'array', default: [] },
    })
  })

  test('what a service demands of requests, by those it refused for one thing alone', async () => {
    const refusal = { errors: { species: ['is required'] } }
    const { learned } = await learnFrom([
      seen(create({ name: 'Rex', species: 'dog', nickname: 'R' }), 200, { id: 1, name: 'Rex' }),
      seen(create({ name: 'Tom', species: 'cat', nickname: 'T' }), 200, { id: 2, name: 'Tom' }),
      seen(create({ name: 'Ada', nickname: 'A' }), 422, refusal),
      seen(create({ name: 'Bea', species: 'cat', nickname: '' }), 422, { errors: { nickname: ['is empty'] } }),
      // It lacks two things, and which of them is wanted is not known.
      seen(create({ name: 'Eve' }), 422, refusal),
    ])
    expect(learned.schemas?.['createPet body']).toEqual({
      '': { required: ['name', 'species'], allOf: [{ properties: { nickname: { minLength: 1 } } }] },
    })
  })

  test('a request is not refused for a member of which the service does not speak', async () => {
    const { learned } = await learnFrom([
      seen(create({ name: 'Rex', species: 'dog' }), 200, { id: 1, name: 'Rex' }),
      seen(create({ name: 'Tom', species: 'cat' }), 200, { id: 2, name: 'Tom' }),
      // It has no species either.
      seen(create({ name: 'Rex/Tom' }), 422, { message: 'The "name" must have no slash.' }),
    ])
    expect(learned.schemas?.['createPet body']).toEqual({
      '': { allOf: [{ properties: { name: { pattern: '^[^/]+$' } } }] },
    })
  })

  test.each<[string, readonly string[], string, string, object | undefined]>([
    ['the sign at the end', ['ann.', 'bob.'], 'eve', "Name 'eve' is not canonical", { pattern: String.raw`\.$` }],
    ['no white space', ['ann', 'bob'], 'eve x', 'The name is wrong.', { pattern: String.raw`^\S+$` }],
    ['small letters', ['ann-1', 'bob_2'], 'Eve', 'Invalid name "Eve".', { pattern: '^[a-z0-9._-]+$' }],
    ['nothing, where others were taken in that form', ['ann', 'Bob'], 'Eve', 'Invalid name "Eve".', undefined],
    ['nothing where the error says of no member', ['ann', 'bob'], 'Eve 2', 'Try again later.', undefined],
    ['nothing of one value', ['ann'], 'Eve', 'Invalid name "Eve".', undefined],
    ['nothing of a member that the error does not mean', ['ann', 'bob'], 'Eve', 'The species is wrong.', undefined],
  ])('the form of a text: %s', async (_, taken, refused, message, keywords) => {
    const { learned } = await learnFrom([
      ...taken.map((name, id) => seen(create({ name }), 200, { id, name, nickname: null })),
      seen(create({ name: refused }), 422, { error: message }),
    ])
    expect(learned.schemas?.['createPet body']).toEqual(
      keywords && { '': { allOf: [{ properties: { name: keywords } }] } },
    )
  })

  test.each<[string, unknown, string, object | undefined]>([
    ['the word that the error names', 'greenish', 'greenish is no colour', { not: { const: 'greenish' } }],
    ['the word of the member that it names', 'greenish', 'invalid coat', { not: { const: 'greenish' } }],
    ['one of a list', ['red', 'greenish'], 'invalid: greenish', { not: { contains: { const: 'greenish' } } }],
    ['nothing, where it may depend on the others', 'greenish', 'greenish exists already', undefined],
    ['nothing of a member that may not be sent', 'greenish', 'coat cannot be changed', undefined],
  ])('a value that no form sets apart: %s', async (_, coat, message, keywords) => {
    const { learned } = await learnFrom([
      seen(create({ name: 'Rex', coat: 'red' }), 200, { id: 1, name: 'Rex' }),
      seen(create({ name: 'Tom', coat: 'grey' }), 200, { id: 2, name: 'Tom' }),
      seen(create({ name: 'Pia', coat }), 422, { error: message }),
    ])
    expect(learned.schemas?.['createPet body']).toEqual(
      keywords && { '': { allOf: [{ properties: { coat: keywords } }] } },
    )
  })

  test('what is said of one wrong value is not said of other errors', async () => {
    const error = { error: 'The coat must be red or grey.' }
    const rex = { id: 1, name: 'Rex' }
    const change = (body: object): Sent => ({ method: 'PATCH', path: '/pets/1', body })
    const { learned } = await learnFrom([
      seen(create({ name: 'Rex', coat: 'red' }), 200, rex),
      seen(create({ name: 'Tom', coat: 'greenish' }), 422, error),
      seen(change({ coat: 'grey' }), 200, rex),
      seen(change({ coat: 'greenish' }), 422, error),
    ])
    const { forms } = learned
    expect(JSON.stringify(forms['error 422 request-invalid/body not'])).toContain(error.error)
    for (const name of ['error 422', 'error 422 request-invalid/body'])
      expect(JSON.stringify(forms[name] ?? {}), name).not.toContain(error.error)
  })

  test('a member that two words of an error name', async () => {
    const { learned } = await learnFrom([
      seen(create({ name: 'Rex', nickname: 'R' }), 200, { id: 1, name: 'Rex' }),
      seen(create({ name: 'Tom' }), 422, { error: 'Nick Name is missing' }),
    ])
    expect(learned.schemas?.['createPet body']).toEqual({ '': { required: ['name', 'nickname'] } })
  })

  test.each<[string, number, string | undefined, object | undefined]>([
    ['nothing, where the error has no body', 1000, undefined, undefined],
    ['what the error says', 1000, 'weight must be at most 200', { maximum: 200 }],
    ['less than nothing', -1, 'weight is wrong', { minimum: 0 }],
    ['nothing, where the error has no number', 1000, 'weight is wrong', undefined],
  ])('the bound of a number: %s', async (_, weight, message, keywords) => {
    const { learned } = await learnFrom([
      seen(create({ name: 'Rex', weight: 30 }), 200, { id: 1, name: 'Rex' }),
      seen(create({ name: 'Tom', weight: 4 }), 200, { id: 2, name: 'Tom' }),
      seen(create({ name: 'Eve', weight }), 422, message === undefined ? undefined : { error: message }),
    ])
    expect(learned.schemas?.['createPet body']).toEqual(
      keywords && { '': { allOf: [{ properties: { weight: keywords } }] } },
    )
  })

  test('an id that the service uses again is that of the new item', async () => {
    const pet = (name: string) => ({ id: 'pet-1a', name, nickname: null })
    const { stdout } = await learnFrom(
      ['Rex', 'Tom', 'Ada'].flatMap((name) => [
        seen(create({ name }), 200, pet(name)),
        seen(get('/pets/pet-1a'), 200, pet(name)),
        seen({ method: 'DELETE', path: '/pets/pet-1a' }, 204),
      ]),
    )
    expect(stdout).toMatch(/^with this profile: 9 of 9 statuses/m)
  })

  test('a number is the id of one kind of thing', async () => {
    const pet = (id: number, name: string) => ({ id, name, nickname: null })
    const { stdout } = await learnFrom([
      seen(get('/vets'), 200, [{ id: 12, name: 'Dr Grey' }]),
      seen(create({ name: 'Rex' }), 200, pet(12, 'Rex')),
      seen(create({ name: 'Tom' }), 200, pet(13, 'Tom')),
      seen(get('/vets/12'), 200, { id: 12, name: 'Dr Grey' }),
      seen(get('/pets/12'), 200, pet(12, 'Rex')),
      seen(get('/vets/13'), 404),
    ])
    expect(stdout).toMatch(/^with this profile: 6 of 6 statuses/m)
  })

  test('what a request brings with it was not there before', async () => {
    const { fixture } = await learnFrom([
      seen({ method: 'POST', path: '/import', body: { vets: [{ id: 3, field: 'fish' }] } }, 200, {}),
      seen(get('/vets'), 200, [
        { id: 1, field: 'bees' },
        { id: 3, field: 'fish' },
      ]),
    ])
    expect(fixture.collections.vets).toEqual([{ id: 1, field: 'bees' }])
  })

  test('an empty text is no id that the service has made', async () => {
    const missing = (id: number) => seen(get(`/pets/${id}`), 404, { code: '', message: 'There is none' })
    const { learned } = await learnFrom([
      // The service hides what the stand-in shows.
      seen(create({ name: 'Rex', vetId: 'v-12' }), 200, { id: 1, name: 'Rex', vetId: '' }),
      seen(create({ name: 'Tom', nickname: '' }), 200, { id: 2, name: 'Tom', nickname: '' }),
      missing(98),
      missing(99),
    ])
    expect(JSON.stringify(learned.forms)).toContain('"code":""')
  })

  test('a deletion has not the status of a creation', async () => {
    const { learned } = await learnFrom([
      ...['Rex', 'Tom', 'Ada'].map((name, id) => seen(create({ name }), 201, { id, name, nickname: null })),
      seen({ method: 'PATCH', path: '/pets/1', body: { name: 'Bea' } }, 201, { id: 1, name: 'Bea', nickname: null }),
    ])
    expect(learned.statuses).not.toContainEqual({ when: 'changed', from: 200, status: 201 })
  })

  test.each<[string, readonly object[], object, number, object, unknown]>([
    ['the member that is named', [{ name: 'Rex' }], { name: 'Rex' }, 409, { error: 'The name is taken.' }, ['name']],
    [
      'what no two have in common',
      [
        { name: 'Rex', species: 'dog' },
        { name: 'Tom', species: 'dog' },
      ],
      { name: 'Tom', species: 'dog' },
      400,
      { error: 'It exists already.' },
      ['name'],
    ],
    [
      'several together, where each alone may come again',
      [
        { name: 'Rex', species: 'dog' },
        { name: 'Rex', species: 'cat' },
        { name: 'Tom', species: 'dog' },
      ],
      { name: 'Rex', species: 'dog' },
      409,
      {},
      [['name', 'species']],
    ],
    [
      'all that the error names, by their names or their values',
      [{ name: 'Rex', species: 'dog', nickname: 'R' }],
      { name: 'Rex', species: 'dog', nickname: 'R' },
      400,
      { error: "A pet named 'Rex' already exists in this species." },
      [['name', 'species']],
    ],
    [
      'nothing that is wrong in another way',
      [{ name: 'Rex' }],
      { name: 'Rex' },
      400,
      { error: 'Too late.' },
      undefined,
    ],
    [
      'nothing where it is not clear which it is',
      [{ name: 'Rex', nickname: 'R' }],
      { name: 'Rex', nickname: 'R' },
      409,
      { error: 'Conflict' },
      undefined,
    ],
  ])('what tells items apart: %s', async (_, made, sent, status, refusal, unique) => {
    const { learned } = await learnFrom([
      ...made.map((one, id) => seen(create(one), 200, { id: id + 1, nickname: null, ...one })),
      seen(create(sent), status, refusal),
      // The name of what was deleted is free.
      seen(create({ name: 'Ada' }), 200, { id: 8, name: 'Ada', nickname: null }),
      seen({ method: 'DELETE', path: '/pets/8' }, 204),
      seen(create({ name: 'Ada' }), 200, { id: 9, name: 'Ada', nickname: null }),
    ])
    expect(learned.hints?.createPet).toEqual(unique && { unique })
  })

  test('places are found in lists of an error too, and what is made anew each time is none of its constants', async () => {
    const uuid = 'b7458d4e-7c9e-4304-b7fd-c2accf62657'
    const missing = (id: number) => {
      const message = `No pet has the number ${id}.`
      return seen(get(`/pets/${id}`), 404, { trace: `${uuid}${id % 10}`, name: 'Error', details: [{ message }] })
    }
    const { learned } = await learnFrom([missing(77_771), missing(77_772), missing(77_773)])
    expect(learned.forms['getPet 404']).toEqual({
      '': {
        set: {
          trace: '{$uuid}',
          name: 'Error',
          details: [{ message: 'No pet has the number {$request.path.petId}.' }],
        },
      },
    })
  })

  test('a member that may not be changed does not close the body to others', async () => {
    const change = (body: object): Sent => ({ method: 'PATCH', path: '/pets/1', body })
    const profile = await learnFrom([
      seen(create({ name: 'Rex' }), 200, { id: 1, name: 'Rex', species: 'dog' }),
      seen(change({ name: 'Rexy' }), 200, { id: 1, name: 'Rexy', species: 'dog' }),
      seen(change({ name: 'Rex' }), 200, { id: 1, name: 'Rex', species: 'dog' }),
      seen(change({ species: 'cat' }), 422, { errors: { species: ['cannot change'] } }),
    ])
    expect(profile).not.toHaveProperty(['learned', 'schemas', 'updatePet body'])
  })

  test('what the service refused is taken back, so that later responses are compared with the same state', async () => {
    const rex = { id: 1, name: 'Rex', nickname: null }
    const remove: Sent = { method: 'DELETE', path: '/pets/1' }
    const { behaviours, evidence } = await learnFrom([
      seen(create({ name: 'Rex' }), 200, rex),
      seen(remove, 409, { error: 'He is being treated.' }),
      seen(get('/pets/1'), 200, rex),
      seen(get('/pets/1'), 200, rex),
      seen(remove, 204),
      seen(remove, 404, { error: 'There is none.' }),
    ])
    expect(behaviours).not.toHaveProperty('collections.delete-again')
    // As it is served, the pet is gone with the first.
    expect(evidence.open).toContainEqual(expect.stringMatching(/^deletePet: 204; the service responded 409/))
  })

  test('what addresses name stays as it is, and people are replaced', async () => {
    const contract = structuredClone(CLINIC_CONTRACT) as { paths: Record<string, object> }
    const owner = { type: 'object', properties: { name: { type: 'string' }, email: { type: 'string' } } }
    const shows = (schema: object) => ({ 200: { description: 'So.', content: { 'application/json': { schema } } } })
    contract.paths['/owners'] = {
      get: { operationId: 'listOwners', responses: shows({ type: 'array', items: owner }) },
    }
    contract.paths['/owners/{name}'] = {
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getOwner', responses: shows(owner) },
    }
    const ann = { name: 'ann', email: 'ann.cole@example.com' }
    const { path, remove } = createDirectory({
      'owners.json': JSON.stringify(contract),
      'some.har': JSON.stringify(harOf([seen(get('/owners'), 200, [ann]), seen(get('/owners/ann'), 200, ann)])),
    })
    onTestFinished(remove)
    const [from, har, out] = ['owners.json', 'some.har', 'out.yaml'].map((file) => join(path, file))
    const command = runCommand(['learn', '--contract', from ?? '', '--har', har ?? '', '--out', out ?? ''])
    expect(await command.ended).toBe(0)
    const { fixture } = parse(readFileSync(out ?? '', 'utf8')) as Profile
    expect(fixture.collections.owners).toEqual([{ name: 'ann', email: 'person1@example.com' }])
    expect(command.stdout()).toMatch(/^replaced: e-mail addresses \(1, in email\)$/m)
  })

  test('what only some new items have is no beginning of all', async () => {
    const { learned } = await learnFrom(
      ['Rex', 'Tom', 'Ada', 'Bea'].map((name, id) =>
        seen(create({ name }), 200, { id, name, ...(id % 2 === 0 && { isOnLeash: true }) }),
      ),
    )
    expect(learned.schemas?.['#/components/schemas/Pet']).toEqual({ '/properties/isOnLeash': { type: 'boolean' } })
  })

  test('a request with a member that the contract does not have was refused for that', async () => {
    const { learned } = await learnFrom([
      seen(create({ name: 'Rex' }), 200, { id: 1, name: 'Rex' }),
      seen(create({ name: 'Tom', colour: 'red' }), 422, { errors: { colour: ['is unknown'] } }),
    ])
    expect(learned.schemas?.['createPet body']).toEqual({ '': { unevaluatedProperties: false } })
  })

  test('a list of parts that each item has alike is a part of new ones, and a list of other things is not', async () => {
    const pet = (id: number, name: string) => {
      const tags = [{ kind: 'collar', of: name, made: `2026-03-0${id}T10:00:00Z` }]
      return { id, name, nickname: null, tags, friends: [{ name: ['Ann', 'Bob', 'Cid', 'Dot', 'Flo'][id - 1] }] }
    }
    const { learned } = await learnFrom(
      ['Rex', 'Tom', 'Ada', 'Bea', 'Eve'].flatMap((name, at) => [
        seen(create({ name }), 200, pet(at + 1, name)),
        seen(get(`/pets/${at + 1}`), 200, pet(at + 1, name)),
      ]),
    )
    const { '/tags': tags, '/friends': friends } = learned.forms['#/components/schemas/Pet'] ?? {}
    expect(tags).toEqual({ set: [{ kind: 'collar', of: '{$item#/name}', made: '{$now}' }] })
    expect(friends).toBeUndefined()
  })

  test('the place of what is wrong is found in what an error says, also as a path', async () => {
    const refused = (name: string, value: number) =>
      seen(create({ name: 'Rex', [name]: value }), 400, {
        error: 'ValidationError',
        path: `/body/${name}`,
        text: `The \`/body/${name}\` property must be string. You sent ${value}.`,
      })
    const { learned } = await learnFrom([refused('nickname', 7), refused('species', 8)])
    const said = { error: 'ValidationError', path: '/body{$violation.pointer}' }
    expect(learned.forms['error 400 request-invalid/body type']).toEqual({
      '': { set: { ...said, text: expect.stringMatching(/`\/body\{\$violation\.pointer\}` property/) as unknown } },
    })
  })

  test('an error that shows what was sent shows that of the next request', async () => {
    const missing = (body: object) => seen(create(body), 422, { wrong: [{ missing: 'name', in: body }] })
    const wrong = (name: number, nickname: string) =>
      seen(create({ name, nickname }), 422, { wrong: [{ got: name, of: 'text' }] })
    const { learned } = await learnFrom([
      missing({ species: 'dog' }),
      missing({ species: 'cat', coat: 'grey' }),
      wrong(7, 'Mi'),
      wrong(8, 'Li'),
    ])
    const forms = JSON.stringify(learned.forms)
    expect(forms).toContain('{"missing":"{$violation.member}","in":"{$request.body}"}')
    expect(forms).toContain('{"got":"{$violation.received}","of":"text"}')
  })

  test('a list is refused for its query, whatever there is', async () => {
    const error = { error: 'There is no end.' }
    const { learned } = await learnFrom([
      seen(get('/pets?filter=(('), 400, error),
      seen(get('/pets?mood=calm'), 400, error),
      seen(get('/pets?mood=calm'), 200, []),
      seen(get('/pets/7'), 400, error),
    ])
    expect(learned.examples).toEqual([{ method: 'GET', url: '/pets?filter=((', status: 400, body: error }])
  })

  test('the id of a new item may be all that a creation answers', async () => {
    const text = { type: 'string' }
    const job = { type: 'object', properties: { jobId: text, note: text } }
    const json = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
    const parameters = [{ in: 'path', name: 'jobId', required: true, schema: text }]
    const contract = {
      ...{ openapi: '3.1.0', info: { title: 'Jobs', version: '1' } },
      paths: {
        '/jobs': {
          post: {
            operationId: 'start',
            requestBody: {
              content: { 'application/json': { schema: { type: 'object', properties: { note: text } } } },
            },
            responses: { 200: { description: 'ok', content: { 'text/plain': { schema: text } } } },
          },
        },
        '/jobs/{jobId}': { get: { operationId: 'readJob', parameters, responses: { 200: json(job), 404: json({}) } } },
      },
    }
    const ids = ['84a918ee-e1c1', '7da24d48-779c', 'a86a81c8-ebc0']
    const exchanged = ids.flatMap((jobId) => [
      seen({ method: 'POST', path: '/jobs', body: { note: 'go' } }, 200, jobId),
      seen(get(`/jobs/${jobId}`), 200, { jobId, note: 'go', queue: 'main' }),
    ])
    // As the body of text/plain, without quotation marks.
    const quoted = JSON.stringify(harOf(exchanged))
    const har = ids.reduce((all, id) => all.replaceAll(`"\\"${id}\\""`, `"${id}"`), quoted)
    const { path, remove } = createDirectory({ 'jobs.json': JSON.stringify(contract), 'jobs.har': har })
    onTestFinished(remove)
    const files = [
      '--contract',
      join(path, 'jobs.json'),
      '--har',
      join(path, 'jobs.har'),
      '--out',
      join(path, 'out.yaml'),
    ]
    const command = runCommand(['learn', ...files])
    expect(await command.ended).toBe(0)
    expect(command.stdout()).toMatch(/0 documents that were there at first/)
    expect(command.stdout()).toMatch(/^by the contract: +6 of 6 statuses; of 3 bodies 0 have the same members/m)
    expect(command.stdout()).toMatch(/^with this profile: 6 of 6 statuses; of 3 bodies 3 have the same members/m)
  })

  test('what one operation says of an error is not said of another', async () => {
    const { learned } = await learnFrom([
      seen(get('/vets'), 200, []),
      seen(get('/pets/99'), 404, { code: 4, message: 'The pet has left us' }),
      seen(get('/pets/98'), 404, { code: 4, message: 'The pet has left us' }),
    ])
    const { 'error 404 item-not-found': shared, 'getPet 404': own } = learned.forms
    expect(JSON.stringify(shared)).toContain('{$problem}')
    expect(JSON.stringify(shared)).not.toContain('The pet')
    expect(JSON.stringify(own)).toContain('The pet has left us')
  })
})

describe('wrong input of standin learn', () => {
  const ended = async (args: readonly string[]) => {
    const command = runCommand(['learn', '--contract', CONTRACT, ...args], { cwd: folder.path })
    return [await command.ended, command.stderr()] as const
  }

  test('recordings of another service, none at all, and a profile that is there', async () => {
    const { path, remove } = createDirectory({
      'other.har': JSON.stringify(harOf([{ sent: get('/nothing'), received: { status: 200, body: 1 } }])),
      'none.har': '{"log": {}}',
      'there.yaml': 'behaviours: {}',
    })
    onTestFinished(remove)
    const other = await ended(['--har', join(path, 'other.har'), '--out', join(path, 'out.yaml')])
    expect(other).toEqual([
      1,
      expect.stringContaining('Expected requests to operations of the contract; got 1 request to others'),
    ])
    const none = await ended(['--har', join(path, 'none.har'), '--out', join(path, 'out.yaml')])
    expect(none).toEqual([1, expect.stringContaining('none.har:1: Expected an HTTP Archive')])
    const there = await ended(['--har', join(path, 'other.har'), '--out', join(path, 'there.yaml')])
    expect(there).toEqual([
      1,
      expect.stringContaining('is there already. Pass --force to replace it, or name another file.'),
    ])
    const nowhere = await ended(['--har', join(path, 'other.har'), '--out', join(path, 'no/where.yaml')])
    expect(nowhere).toEqual([1, expect.stringContaining('There is no directory')])
  })
})
