import type { Contract } from '../../../contract/contract.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { createDocumentMaker, createTemplates } from '../../../values/document-maker.ts'
import type { KnownCollections } from '../control/known-collections.ts'
import { findPlace, type InstancePlace } from '../seeds/instance-place.ts'
import { makePayload } from './payload.ts'
import type { WebhookEvent, WebhookSource } from './webhook-plan.ts'
import { rememberingEach } from '../../../base/cache.ts'

/** Makes the bodies of messages about items. What makes documents of one kind is created once. */
export function createBodyMaker(
  { document, inTurns }: Pick<Contract, 'document' | 'inTurns'>,
  known: KnownCollections,
): WebhookSource['makeBody'] {
  const templates = createTemplates()
  const makerOf = rememberingEach((event: WebhookEvent) => createDocumentMaker({ document, ...event }, templates))
  return async (event, { subject, ...request }) => {
    if (event.schema === undefined) return undefined
    const place = subject && findPlace(known.collections, subject.collection)
    const made = await inTurns(() =>
      makePayload(document, event, {
        ...request,
        make: makerOf(event),
        noun: place?.plan.noun ?? '',
        id: valueAt(subject?.item, place?.plan.identity.pointer ?? '/id') ?? subject?.id,
        parents: place ? parentsOf(place) : [],
        item: subject?.item,
        before: subject?.before,
        itemSchema: place?.plan.schema,
      }),
    )
    return made && event.isList ? [made] : made
  }
}

/** The ids of the items that an item lies below, by their nouns. */
function parentsOf({ plan, ids }: InstancePlace): readonly (readonly [noun: string, id: string])[] {
  const found: [string, string][] = []
  let { parent } = plan
  for (const id of ids.toReversed()) {
    if (!parent) break
    found.push([parent.noun, id])
    parent = parent.parent
  }
  return found
}
