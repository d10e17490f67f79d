import type { CollectionPlan, Plans } from '../infer/plan.ts'
import { withAlternatives, mayBeId, type RelatedMember } from './embedded-members.ts'
import { isSameSchema, shapeOf } from '../../../contract/schemas/shape.ts'
import { isObject } from '../../../base/formats/json.ts'
import { keyOf } from '../../../base/formats/plurals.ts'
import { referencesOf } from '../operations/references.ts'
import { plainName, wordsOf } from '../../../base/formats/names.ts'

/** What requests can ask for. */
export interface Expandable {
  readonly members: readonly RelatedMember[]
  /** What may stand before their names: `data.` for `{"data": [...]}`. */
  readonly prefix: string
}

/** The member that a request names. */
export function relatedNamed(related: Expandable | undefined, text: string): RelatedMember | undefined {
  const { members = [], prefix = '' } = related ?? {}
  const name = text.startsWith(prefix) ? text.slice(prefix.length) : text
  const isDeeper = /[./]/.test(name)
  return isDeeper ? undefined : members.find((one) => keyOf(wordsOf(one.name)) === keyOf(wordsOf(name)))
}

/**
 * The members of an item that may be the item that they name instead of its id (`customer: anyOf [string, Customer]`), and those beside
 * the id (`customer` beside `customer_id`).
 */
export function relatedMembers({ document, collections }: Plans, schema: unknown): readonly RelatedMember[] {
  const { properties } = shapeOf(document, schema, 'any')
  // Items below others are known by more than one id.
  const targets = collections.filter(({ isSingleton, path }) => !isSingleton && !path.includes('{'))
  const idNames = new Map([...properties.keys()].map((name) => [plainName(name), name]))
  return [...properties].flatMap(([name, member]): RelatedMember[] => {
    const alternatives = withAlternatives(document, member)
    const idName = alternatives.some(mayBeId) ? name : idNames.get(`${plainName(name)}id`)
    if (idName === undefined) return []
    const named = idName === name ? undefined : targetOfId({ document, collections }, idName, properties.get(idName))
    const shown = targets
      .filter((target) => idName === name || target === named)
      .flatMap((target) => {
        const items = withAlternatives(document, target.schema)
        const found = alternatives.find((one) => isObject(one) && items.some((item) => isSameSchema(item, one)))
        return found === undefined ? [] : [{ name, idName, target, schema: found }]
      })
    const sameName = shown.filter(({ target }) => plainName(target.noun) === plainName(name))
    return shown.length === 1 ? shown : sameName.length === 1 ? sameName : []
  })
}

function targetOfId(contract: Plans, name: string, schema: unknown): CollectionPlan | undefined {
  const [reference] = referencesOf(contract, { properties: { [name]: schema } })
  return reference?.target
}
