import { isObject, type Members } from '../../base/formats/json.ts'
import { amountIn, PRODUCT_PRICE, readAmount } from './money.ts'
import { plainName } from '../../base/formats/names.ts'

const CHARGED = new Set(['unitprice', 'unitamount', 'priceperunit', 'itemprice', 'priceeach', 'price'])

/**
 * What an object takes from a document that it refers to: `productName` is the `name` of the product, and `unitPrice` its price. Undefined
 * for a member that says something else.
 *
 * @param noun of the document, as a plain name
 * @param name of the member, as a plain name
 */
export function takenFrom(referred: unknown, noun: string, name: string): string | number | undefined {
  if (!isObject(referred)) return undefined
  const held = new Map(Object.entries(referred).map(([own, value]) => [plainName(own), value]))
  const taken = name.startsWith(noun) && name !== `${noun}id` ? held.get(name.slice(noun.length)) : undefined
  if (typeof taken === 'string' || typeof taken === 'number') return taken
  return CHARGED.has(name) ? amountIn(referred, PRODUCT_PRICE) : undefined
}

/** The members of a document that others take, a small part of it. */
export function sharedMembers(document: Members): Members {
  const shared = Object.entries(document).filter(([, one]) => typeof one === 'string' || readAmount(one) !== undefined)
  return Object.fromEntries(shared)
}
