import { isPaid, isRefunded } from './events.ts'
import { firstOf, type Level, put, valueOf } from './level.ts'
import { isObject } from '../../base/formats/json.ts'
import { plainName } from '../../base/formats/names.ts'

const names = (text: string) => text.split(' ')

const QUANTITY = names('quantity qty units')
const UNIT_PRICE = names('unitprice unitamount unitcost priceperunit itemprice priceeach price rate cost')
/** What a product costs, in the product itself. */
export const PRODUCT_PRICE = names('price unitprice unitamount')
const SUBTOTAL = names(
  'subtotal subtotalamount subtotalprice amountsubtotal itemstotal itemtotal net nettotal netamount totalbeforetax goodstotal',
)
const TOTAL = names(
  'total grandtotal totalprice totalamount totalcost ordertotal amounttotal invoicetotal linetotal lineamount gross grossamount totalgross finalprice finalamount',
)
const TAX = names('tax taxes taxamount taxtotal totaltax amounttax vat vatamount salestax')
const DISCOUNT = names('discount discounts discountamount discounttotal totaldiscount totaldiscounts amountdiscount')
const ADDED = [
  names(
    'shipping shippingcost shippingamount shippingfee shippingtotal shippingprice totalshipping amountshipping freight deliveryfee deliverycost',
  ),
  names('fee fees feeamount servicefee handlingfee handling'),
  names('tip tips tipamount gratuity'),
]
const PAID = names('amountpaid paidamount totalpaid')
const DUE = names('amountdue balancedue amountremaining outstanding outstandingamount balance')
const REFUNDED = names('amountrefunded refundedamount totalrefunded')

const SUMS = new Set([...SUBTOTAL, ...TOTAL, ...PAID, ...DUE, ...REFUNDED, 'amount', 'value'])

/** Whether a member may hold a sum of others. @param plain its name in lower case without separators */
export function isSum(plain: string): boolean {
  return SUMS.has(plain)
}

/** Whether it is a sum of what is bought, and not of what is paid of it. */
export function isTotal(plain: string): boolean {
  return TOTAL.includes(plain) || SUBTOTAL.includes(plain) || plain === 'amount'
}

/** Lists whose elements are what a total is made of. */
const LINES = /(lines?|items?|products?|positions?|entries|articles|rows)$/

/** Things whose quantity was ordered, rather than the stock of a product. */
const ORDERS = /(order|cart|basket|purchase|sale|booking|checkout|reservation)(item|line)?s?$/

/** The largest parts of a sum that are believable. */
const MOST_OF_TAX = 0.25
const MOST_OF_DISCOUNT = 0.2

/** Amounts are quantity by price, totals the sum of their parts. */
export function agreeOnMoney(level: Level): void {
  const base = ofLine(level) ?? ofLines(level) ?? ofParts(level)
  if (base === undefined) return
  const part = (plain: readonly string[], most = Infinity) => {
    const name = firstOf(level, plain)
    const amount = name === undefined ? undefined : readAmount(valueOf(level, name))
    if (name === undefined || amount === undefined) return 0
    const fitting = round(Math.min(Math.abs(amount), base * most))
    writeAmount(level, name, Number.isInteger(amount) ? Math.floor(fitting) : fitting)
    return readAmount(valueOf(level, name)) ?? 0
  }
  const added = ADDED.map((plain) => part(plain)).reduce((sum, one) => sum + one, 0)
  const total = round(base + part(TAX, MOST_OF_TAX) + added - part(DISCOUNT, MOST_OF_DISCOUNT))
  for (const name of SUBTOTAL) writeAmount(level, name, base)
  for (const name of TOTAL) writeAmount(level, name, total)
  writeAmount(
    level,
    'amount',
    firstOf(level, QUANTITY) === undefined && firstOf(level, TOTAL) === undefined ? total : base,
  )
  settle(level, total)
}

/** What is paid, due and refunded of a total, by the status. */
function settle(level: Level, total: number): void {
  const refunded = isRefunded(level) ? total : 0
  const due = isPaid(level) === true ? 0 : total
  for (const name of PAID) writeAmount(level, name, round(total - due))
  for (const name of DUE) writeAmount(level, name, due)
  for (const name of REFUNDED) writeAmount(level, name, refunded)
}

function ofLine(level: Level): number | undefined {
  const ordered = firstOf(level, QUANTITY)
  const charged = firstOf(level, UNIT_PRICE)
  const isElement = /\/\d+$/.test(level.pointer) || firstOf(level, [...TOTAL, ...SUBTOTAL, 'amount']) !== undefined
  const isCharged = ordered === undefined ? charged !== undefined && isElement : charged !== undefined || isElement
  const asked = isCharged ? priceOfProduct(level) : undefined
  // People order a few. Beside a price alone it is a stock, unless it is in a list, or of a product.
  const isLine = charged === undefined ? asked !== undefined : isElement || asked !== undefined
  if (ordered !== undefined && (isLine || ORDERS.test(plainName(level.owner))))
    writeAmount(level, ordered, 1 + (Math.floor(numberOf(level, QUANTITY) ?? 0) % 5))
  const quantity = numberOf(level, QUANTITY)
  if (charged !== undefined && asked !== undefined) writeAmount(level, charged, asked)
  const price = numberOf(level, UNIT_PRICE) ?? asked
  return quantity === undefined || price === undefined ? undefined : round(quantity * price)
}

/** The price of what a line is about: of an object in it, such as `product`, or of the document that it refers to. */
function priceOfProduct({ members, pointer, context }: Level): number | undefined {
  const inner = Object.values(members).filter((one) => isObject(one) && !Array.isArray(one))
  const referred = Object.keys(members).flatMap((name) => {
    const noun = /^(.+?)[_-]?(?:[iI]d|ID)$/.exec(name)?.[1]
    return noun === undefined ? [] : [context.referred?.(noun, `${pointer}/${noun}/0`)]
  })
  return [...inner, ...referred].map((one) => amountIn(one, PRODUCT_PRICE)).find((price) => price !== undefined)
}

function ofLines({ members }: Level): number | undefined {
  for (const [name, value] of Object.entries(members)) {
    if (!LINES.test(name.toLowerCase()) || !Array.isArray(value) || value.length === 0) continue
    const amounts = (value as readonly unknown[]).map(amountOfLine)
    if (amounts.every((amount) => amount !== undefined)) return round(amounts.reduce((sum, one) => sum + one, 0))
  }
  return undefined
}

/** A total of its own: a subtotal and what is added to it, or what is taken away. */
function ofParts(level: Level): number | undefined {
  const hasTotal = firstOf(level, [...TOTAL, 'amount']) !== undefined
  const hasParts = firstOf(level, [...TAX, ...DISCOUNT, ...ADDED.flat()]) !== undefined
  return hasTotal && hasParts ? (numberOf(level, SUBTOTAL) ?? numberOf(level, ['amount'])) : undefined
}

/** What an element of a list adds to the total: its own total, or what is nearest to it. */
function amountOfLine(line: unknown): number | undefined {
  const [quantity, price] = [amountIn(line, QUANTITY), amountIn(line, UNIT_PRICE)]
  const own = amountIn(line, [...TOTAL, 'amount', ...SUBTOTAL])
  return own ?? (price === undefined ? undefined : (quantity ?? 1) * price)
}

/** The first of some members of an object that holds an amount. @param wanted plain names */
export function amountIn(held: unknown, wanted: readonly string[]): number | undefined {
  if (!isObject(held)) return undefined
  const plain = new Map(Object.entries(held).map(([name, value]) => [plainName(name), value]))
  return wanted.map((name) => readAmount(plain.get(name))).find((one) => one !== undefined)
}

function numberOf(level: Level, plain: readonly string[]): number | undefined {
  const name = firstOf(level, plain)
  return name === undefined ? undefined : readAmount(valueOf(level, name))
}

/** An amount: a number, a text such as `12.50`, or an object such as `{ amount: 12.5, currency: 'EUR' }`. */
export function readAmount(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
  if (!isObject(value)) return undefined
  const inner = value.amount ?? value.value
  return typeof inner === 'object' ? undefined : readAmount(inner)
}

/** Writes an amount as it is written already. */
export function writeAmount(level: Level, plain: string, amount: number): void {
  const value = valueOf(level, plain)
  if (readAmount(value) !== undefined) put(level, plain, written(value, amount))
}

function written(value: unknown, amount: number): unknown {
  if (typeof value === 'string') return value.includes('.') ? amount.toFixed(2) : String(amount)
  if (!isObject(value)) return amount
  const name = value.amount === undefined ? 'value' : 'amount'
  return { ...value, [name]: written(value[name], amount) }
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100
}
