import { expect, test } from 'vitest'
import { filterExchanges } from '../../../../console/src/views/requests/filter-exchanges.ts'
import { createControlledTester } from '../../../support/control.ts'

const NONE = { outcome: 'all', text: '', behaviour: '' } as const

test('exchanges are chosen by outcome, by words anywhere in them, and by behaviour', async () => {
  const { control, request, search } = createControlledTester()
  await search({ set: 'demo', body: { filters: [{ field: 'name', operator: 'LIKE', value: ['Zebra'] }] } })
  await search({ set: 'demo', query: 'limit=x' })
  await request().get('/nowhere')
  await control.armFaults({ kind: 'status', status: 503, id: 'outage', times: 1 })
  await search({ set: 'demo' })
  const { exchanges } = await control.listExchanges()
  const found = (choice: object) => filterExchanges(exchanges, { ...NONE, ...choice }).map(({ id }) => id)
  expect(found({})).toEqual([1, 2, 3, 4])
  expect(found({ outcome: 'refused' })).toEqual([2, 3])
  expect(found({ outcome: 'failed' })).toEqual([4])
  expect(found({ outcome: 'broken' })).toEqual([])
  expect(found({ text: 'zebra LIKE' })).toEqual([1])
  expect(found({ text: 'outage' })).toEqual([4])
  expect(found({ text: 'searchfiles' })).toEqual([1, 2, 4])
  expect(found({ text: exchanges[2]?.requestId ?? '?' })).toEqual([3])
  const [behaviour = ''] = exchanges[1]?.behaviours ?? []
  expect(found({ behaviour })).toContain(2)
  expect(found({ behaviour: 'no.such' })).toEqual([])
})
