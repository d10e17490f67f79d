import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createShelter } from '../../../support/contracts/shelter.ts'
import { cases } from '../../../support/cases.ts'

type Owner = Readonly<Record<string, unknown>>

const text = fc.string({ minLength: 1, maxLength: 8 })
const nullable = fc.option(text, { nil: null })
const given = fc.record({ name: text, phone: nullable, city: nullable }, { requiredKeys: ['name', 'phone'] })
const patch = fc.record({ name: text, phone: nullable, city: nullable }, { requiredKeys: [] })
const id = fc.integer({ min: 1, max: 16 })

const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), given }),
  fc.record({ kind: fc.constant('replace' as const), id, given }),
  fc.record({ kind: fc.constant('merge' as const), id, patch }),
  fc.record({ kind: fc.constant('delete' as const), id }),
  fc.record({ kind: fc.constant('read' as const), id }),
)

/** A member that is left out is shown as null, since it may be. */
const written = (given: Owner): Owner => ({ city: null, ...given })

/** What clients write. */
const own = ({ name, phone, city }: Owner): Owner => ({ name, phone, ...(city === undefined ? {} : { city }) })

test('random writes leave what a map of the items would have, in the order of creation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { send, standin } = createShelter()
      const list = async () => (await send(['get', '/owners'])).body as unknown as readonly Owner[]
      const model = new Map((await list()).map((owner) => [Number(owner.id), own(owner)]))
      let next = 11
      for (const one of steps) {
        if (one.kind === 'create') {
          expect(await send(['post', '/owners'], one.given)).toMatchObject({ status: 201, body: { id: next } })
          model.set(next++, written(one.given))
          continue
        }
        const path = `/owners/${one.id}`
        const known = model.get(one.id)
        const { status, body } = await {
          replace: () => send(['put', path], 'given' in one ? one.given : {}),
          merge: () => send(['patch', path], 'patch' in one ? one.patch : {}),
          delete: () => send(['delete', path]),
          read: () => send(['get', path]),
        }[one.kind]()
        if (!known) {
          expect(status).toBe(404)
          continue
        }
        expect(status).toBe(one.kind === 'delete' ? 204 : 200)
        if (one.kind === 'replace') model.set(one.id, written(one.given))
        if (one.kind === 'merge') {
          const merged = { ...known, ...one.patch }
          model.set(one.id, merged.city === null && 'city' in one.patch ? { ...merged, city: undefined } : merged)
        }
        if (one.kind === 'delete') model.delete(one.id)
        else expect(own(body)).toEqual(own(model.get(one.id) ?? {}))
      }
      expect((await list()).map((owner) => [owner.id, own(owner)])).toEqual(
        [...model].map(([key, owner]) => [key, own(owner)]),
      )
      await standin.stop()
    }),
    { numRuns: cases(30, 4) },
  )
})
