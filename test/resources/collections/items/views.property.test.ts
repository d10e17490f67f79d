import fc from 'fast-check'
import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY } from '../../../support/contracts/small-contract.ts'
import { cases } from '../../../support/cases.ts'

type Job = Readonly<Record<string, unknown>>

/** Schemas of a member, each with what it allows. */
const KINDS = [
  { schema: { type: 'string' }, allows: (value: unknown) => typeof value === 'string' },
  {
    schema: { type: 'string', maxLength: 2 },
    allows: (value: unknown) => typeof value === 'string' && value.length < 3,
  },
  { schema: { type: 'string', enum: ['a', 'bcd'] }, allows: (value: unknown) => value === 'a' || value === 'bcd' },
  { schema: { type: 'string', enum: ['x'] }, allows: (value: unknown) => value === 'x' },
  { schema: { type: ['string', 'null'] }, allows: (value: unknown) => typeof value === 'string' || value === null },
] as const

const NAMES = ['one', 'two', 'three']
const view = fc.record({
  kinds: fc.tuple(...NAMES.map(() => fc.constantFrom(...KINDS))),
  required: fc.subarray(NAMES),
})
type View = typeof view extends fc.Arbitrary<infer Made> ? Made : never

function schemaOf({ kinds, required }: View) {
  const members = Object.fromEntries(NAMES.map((name, index) => [name, kinds[index]?.schema]))
  return { type: 'object', required: ['id', ...required], properties: { id: { type: 'integer' }, ...members } }
}

function isValid(job: Job, { kinds, required }: View): boolean {
  return NAMES.every((name, index) =>
    name in job ? kinds[index]?.allows(job[name]) === true : !required.includes(name),
  )
}

test('responses that contradict each other show an item alike where they can, and are valid', async () => {
  await fc.assert(
    fc.asyncProperty(
      view,
      view,
      fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('a', 'x', 'bcd')),
      async (read, list, given) => {
        const { standin } = createContractTester({
          '/jobs': {
            get: { responses: { 200: shows({ type: 'array', items: schemaOf(list) }) } },
            post: { requestBody: takes({ type: 'object' }), responses: { 201: shows(schemaOf(read)) } },
          },
          '/jobs/{jobId}': { parameters: [inPath('jobId')], get: { responses: { 200: shows(schemaOf(read)) } } },
        })
        const get = async (path: string) => {
          const response = await request(standin.app).get(path).set(OWN_KEY)
          expect([response.status, response.headers['x-mock-generated']]).toEqual([200, undefined])
          return response.body as unknown
        }
        // What the response of the creation cannot show may be refused.
        const { status } = await request(standin.app).post('/jobs').set(OWN_KEY).send(given)
        expect([201, 400]).toContain(status)
        const jobs = (await get('/jobs')) as readonly Job[]
        for (const listed of jobs) {
          const shown = (await get(`/jobs/${String(listed.id)}`)) as Job
          expect([shown, isValid(shown, read)]).toEqual([shown, true])
          expect([listed, isValid(listed, list)]).toEqual([listed, true])
          for (const [index, name] of NAMES.entries())
            if (name in shown && list.kinds[index]?.allows(shown[name])) expect(listed[name]).toEqual(shown[name])
        }
        expect(await get('/jobs')).toEqual(jobs)
        await standin.stop()
      },
    ),
    { numRuns: cases(25) },
  )
})
