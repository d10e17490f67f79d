import { isDeepStrictEqual } from 'node:util'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer, type Members } from '../../../base/formats/json.ts'
import type { DocumentContext } from '../../../values/consistency/level.ts'
import { sumUp } from '../../../values/consistency/make-consistent.ts'
import { isSum, isTotal } from '../../../values/consistency/money.ts'
import { plainName } from '../../../base/formats/names.ts'

interface ItemWrite {
  /** The item before the write; undefined for a new one. */
  readonly before: Members | undefined
  /** The item after it, before what it lacks was made up. */
  readonly sent: Members
  readonly whole: Members
  /** The documents that it refers to. */
  readonly referred: NonNullable<DocumentContext['referred']>
}

/**
 * An item whose totals are the sums of their parts, as far as clients cannot write them, or have not. A total that did not add up before,
 * such as that of an example, stays as it is.
 */
export function withTotals(document: unknown, schema: unknown, { before, sent, whole, referred }: ItemWrite): Members {
  const summed = (value: Members, written: Members) => {
    const fixed = [...leavesOf(document, schema, written)].flatMap((leaf) => (leaf.isReadOnly ? [] : [leaf.pointer]))
    const isFree = ({ name, pointer }: Leaf) => isSum(plainName(name)) && !fixed.includes(pointer)
    return leavesOf(document, schema, value).some(isFree) ? sumUp(document, schema, value, { fixed, referred }) : value
  }
  const lacking = before ? [] : openTotals(document, schema, whole)
  if (lacking.length > 0) {
    const made = summed({ ...whole, ...Object.fromEntries(lacking.map((name) => [name, 0])) }, sent)
    return Object.fromEntries(Object.entries(made).filter(([name, one]) => one !== 0 || !lacking.includes(name)))
  }
  const after = summed(whole, sent)
  return before && after !== whole && !isDeepStrictEqual(summed(before, before), before) ? whole : after
}

/** The totals that a new item has no value of: the service sums them up. */
function openTotals(document: unknown, schema: unknown, value: Members): string[] {
  return [...shapeOf(document, schema, 'any').properties].flatMap(([name, member]) => {
    const { types } = shapeOf(document, member)
    return !(name in value) && isTotal(plainName(name)) && (types.has('number') || types.has('integer')) ? [name] : []
  })
}

interface Leaf {
  readonly pointer: string
  /** Of the member that holds it. */
  readonly name: string
  /** Whether only the service writes it. */
  readonly isReadOnly: boolean
}

const ROOT: Leaf = { pointer: '', name: '', isReadOnly: false }

/** The values that are neither objects nor lists. */
export function* leavesOf(document: unknown, schema: unknown, value: unknown, at: Leaf = ROOT): Generator<Leaf> {
  if (typeof value !== 'object' || value === null) {
    yield at
    return
  }
  const shape = shapeOf(document, schema, 'any')
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries())
      yield* leavesOf(document, shape.items, one, { ...at, pointer: `${at.pointer}/${index}` })
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    const member = shape.properties.get(name)
    const isReadOnly = at.isReadOnly || (member !== undefined && shapeOf(document, member).keywords.readOnly === true)
    yield* leavesOf(document, member, inner, { pointer: `${at.pointer}/${encodePointer(name)}`, name, isReadOnly })
  }
}
