import { expect, test } from 'vitest'
import { FAULT_KINDS, kindsOf, operationsOf } from '../../../../console/src/views/faults/fault-kinds.ts'
import { createControlledTester } from '../../../support/control.ts'

const generated = {
  operationId: 'getWeather',
  method: 'GET',
  path: '/weather',
  handler: 'generated',
  keyHeaders: {},
  faultKinds: [],
  hasPages: false,
}

const namesOf = (kinds: readonly { readonly kind: string }[]) => kinds.map(({ kind }) => kind)

test('a contract without lists and changes is offered the faults of any request', () => {
  const kinds = namesOf(kindsOf([generated]))
  expect(kinds).toContain('latency')
  expect(kinds).not.toContain('cursor-expired')
  expect(kinds).not.toContain('lost-answer')
})

test('refused operations meet no fault', () => {
  expect(operationsOf('latency', [{ ...generated, handler: 'refused' }])).toEqual([])
})

test('every kind that is offered can be armed at each operation that is offered for it', async () => {
  const { control } = createControlledTester()
  const { operations } = await control.getInfo()
  expect(namesOf(kindsOf(operations))).toEqual(namesOf(FAULT_KINDS))
  for (const { kind, fields } of FAULT_KINDS)
    for (const { operationId } of operationsOf(kind, operations)) {
      const values = fields.filter(({ type, initial }) => type === 'number' && initial !== '')
      const given = values.map(({ name, initial }) => [
        name,
        name === 'delay' ? { milliseconds: Number(initial) } : Number(initial),
      ])
      await control.armFaults({ kind, match: { operationId }, ...(Object.fromEntries(given) as object) })
    }
  expect((await control.listFaults()).faults.length).toBeGreaterThan(FAULT_KINDS.length)
})
