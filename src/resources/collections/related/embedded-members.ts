import type { CollectionPlan, Plans } from '../infer/plan.ts'
import { isDeepStrictEqual } from 'node:util'
import { asList, isObject, splitPointer } from '../../../base/formats/json.ts'
import { singular } from '../../../base/formats/plurals.ts'
import { plainName } from '../../../base/formats/names.ts'
import { follow } from '../../../contract/pointer.ts'
import { isSameSchema, shapeOf, typesOf } from '../../../contract/schemas/shape.ts'
import type { State } from '../../../engine/state.ts'
import { documentsOf, requireDocuments } from '../collection-state.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { isCallerWord, isOfPeople, namesPerson } from '../infer/people.ts'
import { SINGLETON } from '../operations/instance-name.ts'

/** A member that shows an item of another collection whole, such as `owner: User`, or does so where a request asks for it. */
export interface RelatedMember {
  readonly name: string
  readonly target: CollectionPlan
  /** The member of this object that holds the id of that item: itself, or `customer_id` beside `customer`. */
  readonly idName: string
  /** Of the item there. */
  readonly schema: unknown
}

/** The members of an item that show an item of another collection: objects of its schema, or of a part of that. */
export function embeddedMembers({ document, collections }: Plans, schema: unknown): readonly RelatedMember[] {
  const targets = collections.filter(
    ({ path, isSingleton }) => !path.includes('{') && (!isSingleton || isCallerWord(path.split('/').at(-1) ?? '')),
  )
  return [...shapeOf(document, schema, 'any').properties].flatMap(([name, member]): RelatedMember[] => {
    const { properties, types } = shapeOf(document, member, 'any')
    // One that may be the id instead shows the item where a request asks for it: `?expand=customer`.
    const isId = withAlternatives(document, member).some(mayBeId)
    if (properties.size === 0 || types.has('array') || isId) return []
    const plain = plainName(name)
    const isCalled = (target: CollectionPlan) =>
      plain.endsWith(plainName(target.noun)) || (namesPerson(plain) && isOfPeople(target))
    const alike = targets.filter(
      (target) =>
        properties.has(idNameOf(target)) &&
        (isWhole(document, member, target) || (isCalled(target) && isPart(document, properties, target))),
    )
    const called = alike.filter(isCalled)
    const [target, ...others] = called.length > 0 ? called : alike
    return target && others.length === 0 ? [{ name, target, idName: idNameOf(target), schema: member }] : []
  })
}

/** The same of lists: `projects` of a task, whose elements are projects. */
export function embeddedLists(plans: Plans, schema: unknown): readonly RelatedMember[] {
  const { document } = plans
  return [...shapeOf(document, schema, 'any').properties].flatMap(([name, member]): RelatedMember[] => {
    const { items } = shapeOf(document, member, 'any')
    const [one] = items === undefined ? [] : embeddedMembers(plans, { properties: { [singular(name)]: items } })
    return one ? [{ ...one, name }] : []
  })
}

function idNameOf({ identity }: CollectionPlan): string {
  const [name = 'id', ...deeper] = splitPointer(identity.pointer ?? '/id')
  return deeper.length === 0 ? name : ''
}

function isWhole(document: unknown, member: unknown, { schema }: CollectionPlan): boolean {
  const items = withAlternatives(document, schema)
  return withAlternatives(document, member).some(
    (one) => isObject(one) && items.some((item) => isSameSchema(item, one)),
  )
}

/** Whether all that an object has, an item has too, of the same types: a summary. */
function isPart(document: unknown, members: ReadonlyMap<string, unknown>, { schema }: CollectionPlan): boolean {
  const { properties } = shapeOf(document, schema, 'any')
  return [...members].every(([name, member]) => {
    const [one, other] = [member, properties.get(name)].map((held) => {
      const { enum: values, format, pattern } = shapeOf(document, held, 'any').keywords
      return [typesOf(document, held), values, format, pattern]
    })
    return properties.has(name) && isDeepStrictEqual(one, other)
  })
}

/** An item that a member shows, by the id that it has there; undefined where there is none. @throws NotReady */
export function itemShown(state: State, { target, idName }: RelatedMember, id: unknown): StoredDocument | undefined {
  if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') return undefined
  requireDocuments(state, target.name)
  const documents = documentsOf(state, target.name)
  if (!target.isSingleton) return documents?.get(String(id))
  const only = documents?.get(SINGLETON)
  return only?.value[idName] === id ? only : undefined
}

const MAX_DEPTH = 3

/** A schema, and what it is composed of where a value is one of these. */
export function withAlternatives(document: unknown, schema: unknown, depth = 0): readonly unknown[] {
  const held = follow(document, schema)
  if (!isObject(held) || depth === MAX_DEPTH) return [schema]
  const { anyOf, oneOf, allOf } = held
  const lists = [anyOf, oneOf, Array.isArray(allOf) && allOf.length === 1 ? allOf : undefined]
  const inner = lists.flatMap((list) => asList(list))
  return [schema, ...inner.flatMap((one) => withAlternatives(document, one, depth + 1))]
}

export function mayBeId(schema: unknown): boolean {
  return isObject(schema) && [schema.type].flat().some((type) => type === 'string' || type === 'integer')
}
