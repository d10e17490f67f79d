import { firstOf, type Level, put, valueOf } from './level.ts'
import { isPaid, isRefunded } from './events.ts'
import { isObject, type Members } from '../../base/formats/json.ts'
import { plainName } from '../../base/formats/names.ts'

const names = (text: string) => text.split(' ')

/** Prices of one thing, the least first: what it costs the seller, what it is sold for, and what it was sold for before. */
const PRICES = [
  ...names('cost costprice wholesaleprice purchaseprice'),
  ...names(
    'saleprice salesprice discountedprice discountprice specialprice offerprice promotionalprice promoprice reducedprice',
  ),
  ...names('price currentprice'),
  ...names(
    'listprice regularprice originalprice retailprice msrp rrp compareatprice fullprice oldprice previousprice wasprice',
  ),
]
const SALE = PRICES.slice(4, PRICES.indexOf('price'))
const PERCENT_OFF = names('discountpercentage discountpercent discountpct percentoff percentageoff')

/** A sale price is at most the price, and that at most the price before; minima are at most their maxima. */
export function agreeOnPrices(level: Level): void {
  order(level, PRICES)
  for (const plain of level.names.keys()) {
    const rest = /^(?:min|minimum|lowest)(.+)$/.exec(plain)?.[1]
    if (rest !== undefined) order(level, [plain, ...['max', 'maximum', 'highest'].map((most) => most + rest)])
  }
  const percent = firstOf(level, PERCENT_OFF)
  const [sale, price] = [firstOf(level, SALE), amountOf(level, 'price')]
  if (percent === undefined || typeof valueOf(level, percent) !== 'number') return
  const off = 5 + (Math.floor(Number(valueOf(level, percent))) % 56)
  put(level, percent, off)
  const before = firstOf(level, PRICES.slice(PRICES.indexOf('price') + 2))
  if (sale !== undefined && price !== undefined) writeAmount(level, sale, Math.round(price * (100 - off)) / 100)
  else if (before !== undefined && price !== undefined)
    writeAmount(level, before, Math.round((price * 10_000) / (100 - off)) / 100)
}

/** Gives amounts that are there to the members in this order, the least first. */
function order(level: Level, plain: readonly string[]): void {
  const held = plain.filter((name) => amountOf(level, name) !== undefined)
  const amounts = held.map((name) => amountOf(level, name) ?? 0)
  const sorted = amounts.toSorted((one, other) => one - other)
  for (const [at, name] of held.entries()) {
    const amount = sorted[at] ?? 0
    writeAmount(level, name, Number.isInteger(amounts[at]) ? Math.floor(amount) : amount)
  }
}

function amountOf(level: Level, plain: string): number | undefined {
  return readAmount(valueOf(level, plain))
}

const STOCK = names(
  'stock stockquantity stockcount stocklevel inventory inventoryquantity inventorycount quantityavailable availablequantity quantityinstock unitsinstock',
)
const IN_STOCK = names('instock isinstock available isavailable')
const SOLD_OUT = names('outofstock isoutofstock soldout issoldout')
const AVAILABILITY = names('stockstatus availability availabilitystatus inventorystatus')

/** What is in stock has a stock, and what is sold out has none. */
export function agreeOnStock(level: Level): void {
  const name = firstOf(level, STOCK)
  const stock = name === undefined ? undefined : valueOf(level, name)
  if (name === undefined || typeof stock !== 'number') return
  const flag = [...IN_STOCK, ...SOLD_OUT].find((one) => typeof valueOf(level, one) === 'boolean')
  const said = AVAILABILITY.map((one) => valueOf(level, one)).find((one) => typeof one === 'string')
  const isThere =
    said === undefined
      ? flag === undefined
        ? stock > 0
        : valueOf(level, flag) === IN_STOCK.includes(flag)
      : !/out|unavailable|none/i.test(said)
  put(level, name, isThere ? Math.max(stock, 1) : 0)
  const hasStock = Number(valueOf(level, name)) > 0
  for (const one of IN_STOCK) if (typeof valueOf(level, one) === 'boolean') put(level, one, hasStock)
  for (const one of SOLD_OUT) if (typeof valueOf(level, one) === 'boolean') put(level, one, !hasStock)
}

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
    // An order without lines has no tax, shipping or discount.
    const fitting = base === 0 ? 0 : round(Math.min(Math.abs(amount), base * most))
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

type Thing = Pick<Level, 'members' | 'pointer' | 'context'>

/** The price of what a line is about: of an object in it, such as `product`, or of the document that it refers to. */
function priceOfProduct({ members, pointer, context }: Thing): number | undefined {
  const inner = Object.values(members).filter((one) => isObject(one) && !Array.isArray(one))
  const referred = Object.keys(members).flatMap((name) => {
    const noun = /^(.+?)[_-]?(?:[iI]d|ID)$/.exec(name)?.[1]
    return noun === undefined ? [] : [context.referred?.(noun, `${pointer}/${noun}/0`)]
  })
  return [...inner, ...referred].map((one) => amountIn(one, PRODUCT_PRICE)).find((price) => price !== undefined)
}

function ofLines(level: Level): number | undefined {
  const { members, pointer, context } = level
  const named = linesIn(members)
  const lists = named.map(([, lines]) => lines)
  for (const [name, lines] of named.filter(([, { length }]) => length > 0)) {
    const amounts = lines.map((line, at) =>
      isObject(line) ? amountOfLine({ members: line, pointer: `${pointer}/${name}/${at}`, context }) : undefined,
    )
    if (amounts.every((amount) => amount !== undefined)) return round(amounts.reduce((sum, one) => sum + one, 0))
  }
  const isEmpty = lists.length > 0 && lists.every(({ length }) => length === 0)
  return isEmpty && firstOf(level, [...TOTAL, ...SUBTOTAL]) !== undefined ? 0 : undefined
}

/** The lists of an object whose elements are what its total is made of. */
export function linesIn(members: Members): (readonly [name: string, lines: readonly unknown[]])[] {
  return Object.entries(members).flatMap(([name, value]) =>
    LINES.test(name.toLowerCase()) && Array.isArray(value) ? [[name, value as readonly unknown[]] as const] : [],
  )
}

/** A total of its own: a subtotal and what is added to it, or what is taken away. */
function ofParts(level: Level): number | undefined {
  const hasTotal = firstOf(level, [...TOTAL, 'amount']) !== undefined
  const hasParts = firstOf(level, [...TAX, ...DISCOUNT, ...ADDED.flat()]) !== undefined
  return hasTotal && hasParts ? (numberOf(level, SUBTOTAL) ?? numberOf(level, ['amount'])) : undefined
}

/** What an element of a list adds to the total: its own total, or what is nearest to it. */
function amountOfLine(line: Thing): number | undefined {
  const quantity = amountIn(line.members, QUANTITY)
  const own = amountIn(line.members, [...TOTAL, 'amount', ...SUBTOTAL])
  const price = amountIn(line.members, UNIT_PRICE) ?? (quantity === undefined ? undefined : priceOfProduct(line))
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
function writeAmount(level: Level, plain: string, amount: number): void {
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
