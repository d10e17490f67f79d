import { isSameSchema } from '../../../contract/schemas/shape.ts'
import { valueAt } from '../../../contract/pointer.ts'
import { createItemFit } from '../items/view.ts'
import { chanceKey, draw } from '../../../engine/random.ts'
import { encodePointer, type Members } from '../../../base/formats/json.ts'
import type { DocumentRequest } from '../../../values/document-maker.ts'
import type { CollectionFixture } from '../fixture-collections.ts'
import { createDocuments, type Documents } from '../documents/documents.ts'
import { type StoredDocument, storeDocument } from '../documents/stored-document.ts'
import type { CollectionPlan, Inference, OperationPlan } from '../infer/plan.ts'
import { parameterCount } from '../infer/routes.ts'
import { instanceName } from '../operations/instance-name.ts'
import { isParentHidden, PARENT_FACT, parentPath } from '../operations/parent.ts'
import { idValue, fullName, parentMembers, withMembers } from '../items/server-members.ts'
import type { InstanceIdParts } from './instance-ids.ts'
import { findPlace, type InstancePlace } from './instance-place.ts'
import { MOST_REFERRED, referencesFor } from './references.ts'
import { type CheckedGiven, type Completed, withMissing } from './seed-source.ts'

interface InstanceMakerParts extends Pick<InstanceIdParts, 'document' | 'plans' | 'sources' | 'idsOf'> {
  readonly operations: Inference['operations']
  /** Epoch ms. */
  readonly firstMoment: number
  readonly idsAfter: number
  /** A document of another instance, for what a document takes from those that it refers to; absent while one is made for that. */
  documentOf?(seed: number, name: string, index: number): unknown
  readonly seed: number
  /** Documents that a fixture gives it, by their ids. */
  readonly fixture: CollectionFixture | undefined
}

/** The making of the documents of one instance. */
export interface InstanceMaker {
  /** How many are to be made. */
  readonly count: number
  /** Makes one of them, without effects; undefined where none is valid. */
  make(index: number): readonly [id: string, document: StoredDocument] | undefined
  /** All of them, with those of fixtures. */
  finish(made: Iterable<ReturnType<InstanceMaker['make']>>): Documents
}

/** @returns undefined for an instance that no collection has */
export function createInstanceMaker(parts: InstanceMakerParts, name: string): InstanceMaker | undefined {
  const { plans, fixture, sources, seed, idsOf } = parts
  const place = findPlace(plans, name)
  const ids = place && idsOf(seed, name)
  if (!place || !ids) return undefined
  const { plan } = place
  const given = fixture?.documents
  const source = sources.of(plan)
  const count = fixture?.isWhole ? 0 : ids.count
  const complete = (id: string, { value }: StoredDocument, index: number) => {
    const request = requestFor(parts, place, { index, count: count + (given?.size ?? 0), id })
    return storeDocument(completeGiven(parts, place, { value, request }).value)
  }
  const hasOtherViews = otherViews(parts, plan).length > 0
  const facts = (index: number) => parentFactOf(parts, place, index)
  const fit = createItemFit(viewsOf(parts, plan))
  return {
    count,
    make(index) {
      const id = ids.at(index)
      const replaced = given?.get(id)
      if (replaced) return [id, complete(id, replaced, index)]
      const request = requestFor(parts, place, { index, count, id })
      const example = ids.examples[index]
      const value = example ? withMembers(example.value, request.known) : source.make(request)
      if (!value) return undefined
      const showing = { document: parts.document, seed, purpose: `${name} ${id}`, now: parts.firstMoment }
      const written = new Set(Object.keys(example?.value ?? {}))
      const fitting = hasOtherViews ? fit(value, { ...showing, written }) : value
      return [id, storeDocument(source.accepts(fitting) ? fitting : value, facts(index))]
    },
    finish(made) {
      const entries = [...made].filter((one) => one !== undefined)
      const ids = new Set(given && entries.map(([id]) => id))
      for (const [id, document] of given ?? [])
        if (!ids.has(id)) entries.push([id, complete(id, document, entries.length)])
      return createDocuments(entries, parts.idsAfter)
    },
  }
}

/** The hidden fact of a document whose parent no member names: it is below one of those that there are. */
function parentFactOf({ operations, seed, idsOf }: InstanceMakerParts, { plan, ids }: InstancePlace, index: number) {
  const parent = viewsOf({ operations }, plan).find((one) => one.parent && isParentHidden(one))?.parent
  if (!parent || parameterCount(parent) > ids.length) return {}
  const above = ids.slice(0, parameterCount(parent))
  const parents = idsOf(seed, instanceName(parent, above))
  const count = Math.min(parents?.count ?? 0, MOST_REFERRED)
  const id = parents?.at(draw(chanceKey(seed, `parent of ${plan.name}`), index) % Math.max(1, count))
  return count === 0 || id === undefined ? {} : { [PARENT_FACT]: parentPath(parent, [...above, id]) }
}

/** The operations that show items by another schema than the one that they are made by. */
export function otherViews(parts: Pick<InstanceMakerParts, 'operations'>, plan: CollectionPlan): OperationPlan[] {
  return viewsOf(parts, plan).filter(({ output }) => !isSameSchema(output.located?.schema, plan.schema))
}

/** The operations on a collection. */
export function viewsOf({ operations }: Pick<InstanceMakerParts, 'operations'>, plan: CollectionPlan): OperationPlan[] {
  return [...operations.values()].filter(({ collection }) => collection === plan)
}

interface DocumentToFill {
  readonly value: Members
  readonly request: DocumentRequest
  readonly filler?: Members | undefined
}

/** A document of a fixture with what it lacks for any response. */
function completeGiven(
  parts: InstanceMakerParts,
  { plan, name }: InstancePlace,
  { value, request, filler }: DocumentToFill,
): Completed {
  const { complete, accepts } = parts.sources.of(plan)
  const lacking = [...request.known].filter(([pointer]) => valueAt(value, pointer) === undefined)
  const given = withMembers(value, new Map(lacking))
  const completed = complete(given, request, filler)
  const views = otherViews(parts, plan)
  if (completed.violations.length > 0 || views.length === 0) return completed
  const showing = { document: parts.document, seed: parts.seed, purpose: name, now: parts.firstMoment }
  // Written members stay unchanged, so mistakes in them are found.
  const written = new Set(Object.keys(given))
  const fitted = withMissing(given, createItemFit(views)(completed.value, { ...showing, written }))
  return accepts(fitted) ? { value: fitted, violations: [] } : completed
}

/** Checks documents of fixtures: what each is with all that it lacks, and what its schema does not allow of it. */
export function createGivenCheck(parts: InstanceMakerParts) {
  // All documents of a collection are filled in from one generated document, because generating one is slow.
  const fillers = new Map<CollectionPlan, Members | undefined>()
  return (place: InstancePlace, { id, value }: { readonly id: string; readonly value: Members }): CheckedGiven => {
    const { plan } = place
    // Ids may depend on fixtures that were not read yet.
    const request = {
      ...requestFor(parts, place, { index: 0, count: 1, id }),
      references: () => undefined,
      referred: () => undefined,
    }
    if (!fillers.has(plan)) fillers.set(plan, parts.sources.of(plan).make(request))
    return {
      ...completeGiven(parts, place, { value, request, filler: fillers.get(plan) }),
      views: otherViews(parts, plan),
    }
  }
}

function requestFor(
  { document, plans, operations, firstMoment, idsOf, documentOf, seed }: InstanceMakerParts,
  place: InstancePlace,
  { index, count, id }: { readonly index: number; readonly count: number; readonly id: string },
): DocumentRequest {
  const { plan, name, ids: parents } = place
  const key = chanceKey(seed, `documents of ${plan.name}`)
  const variant = parents.length === 0 ? 0 : 1 + (chanceKey(seed, name) % 1_000_000)
  return {
    index,
    count,
    key,
    variant,
    now: firstMoment,
    noun: plan.noun,
    path: pathOf(operations, place, id),
    known: knownOf(document, place, id),
    ...referencesFor({
      plans,
      place,
      index,
      key: chanceKey(key, name),
      idsOf: (other) => idsOf(seed, other),
      ...(documentOf ? { documentAt: (other, at) => documentOf(seed, other, at) } : {}),
    }),
  }
}

/** The id of a document, and those of its parents where it has members for them. */
function knownOf(document: unknown, { plan, ids }: InstancePlace, id: string): ReadonlyMap<string, unknown> {
  const known = new Map([...parentMembers(document, plan, ids), ...fullName(document, plan, [...ids, id])])
  if (plan.identity.pointer !== undefined && !plan.isSingleton) known.set(plan.identity.pointer, idValue(plan, id))
  return known
}

/** The path that a document is read at. */
function pathOf(operations: Inference['operations'], { plan, name, ids }: InstancePlace, id: string): string {
  const read = [...operations.values()].find(
    ({ collection, role, isOfCaller, element }) => collection === plan && role === 'read' && !isOfCaller && !element,
  )
  if (!read) return plan.isSingleton ? `/${name}` : `/${name}/${encodePointer(id)}`
  const rest = [...ids, id].map(encodeURIComponent)
  return `${read.operation.basePath}${read.operation.path.replaceAll(/\{[^{}]+\}/g, () => rest.shift() ?? '')}`
}
