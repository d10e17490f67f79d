import type { ReadExchange } from '../recordings/differences/find-differences.ts'
import { kindOf } from '../recordings/differences/values.ts'
import { createReplacer, leafPairs, wordsOf } from './made-names.ts'
import type { Planned } from './responder.ts'
import { keyOfId, resourceOfMember, resourceOfUrl } from './resource-ids.ts'

/** The tokens of pages, and the ids of what was created, of two sides that had the same items at first. */
interface NewNames {
  /** A request to the one side as the other one gets it. */
  ours<Request extends Planned>(request: Request): Request
  /** Takes the names of two responses to one request. @param isWrite whether it changed something, so that ids are new */
  learn(theirs: ReadExchange, ours: ReadExchange, isWrite: boolean): void
}

/** Names that are kept. */
const MOST = 10_000

export function createNewNames(): NewNames {
  const own = new Map<string, string>()
  return {
    ours: createReplacer((key) => own.get(key)).request,
    learn(theirs, ours, isWrite) {
      const sent = new Set(isWrite ? wordsOf(theirs.exchange.request) : [])
      const outer = resourceOfUrl(theirs.exchange.request.url)
      for (const { name, resource, their, our } of leafPairs(theirs.json, ours.json, outer)) {
        const kind = kindOf(name, their)
        const known = keyOfId(String(their), resourceOfMember(name, resource))
        // Of two small numbers, one sent and one made, the name says which is the id.
        const isNew = isWrite && kind === 'id' && (name === 'id' || !sent.has(known))
        if ((kind !== 'token' && !isNew) || (typeof our !== 'string' && typeof our !== 'number')) continue
        // The latest comes last: the same token may begin at another page later.
        own.delete(known)
        own.set(known, String(our))
        const oldest = own.size > MOST ? own.keys().next().value : undefined
        if (oldest !== undefined) own.delete(oldest)
      }
    },
  }
}
