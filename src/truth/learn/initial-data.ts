import type { LoadedParts } from '../../app/setup/load.ts'
import { collectData, type SeenData } from '../recordings/collect.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import { isObject, tryParseJson } from '../../base/formats/json.ts'
import { decodePercent } from '../../contract/pointer.ts'

/** Members by which a client names what it makes. */
const OWN_NAME = /^_?(?:id|uuid|uid|key|name|slug|code|username|login)$/i

/**
 * What was there before the first request: items that reads show, as they were at first, and that no request made.
 */
export function initialData(
  exchanges: readonly RecordedExchange[],
  parts: Pick<LoadedParts, 'contract' | 'bindings'>,
): SeenData {
  const isRead = ({ request }: RecordedExchange) => request.method === 'GET'
  const reads = exchanges.filter(isRead)
  const shown = collectData(reads, parts)
  // The earliest comes last, so that it is what is kept.
  const first = collectData(reads.toReversed(), parts)
  const made = new Set<string>()
  for (const { request, response } of exchanges) {
    if (request.method === 'GET' || response.status >= 400) continue
    if (request.method === 'PUT') for (const word of request.url.split(/[/?]/)) made.add(decodePercent(word))
    // Other members refer to what is there.
    const sent = tryParseJson(request.body)
    if (request.method === 'POST' && isObject(sent))
      for (const [name, value] of Object.entries(sent)) if (OWN_NAME.test(name)) made.add(String(value))
  }
  const created = collectData(
    exchanges.filter(
      ({ request, response }) => request.method === 'POST' || (request.method === 'PUT' && response.status === 201),
    ),
    parts,
  )
  for (const [name, { documents }] of shown.collections) {
    const others = created.collections.get(name)?.documents
    for (const id of documents.keys()) {
      const early = first.collections.get(name)?.documents.get(id)
      if (made.has(id) || others?.has(id) === true || !early) documents.delete(id)
      else documents.set(id, early)
    }
  }
  return { ...shown, fileSets: new Map(), reportSchedules: new Map() }
}
