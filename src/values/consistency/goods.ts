import { firstOf, type Level, put, valueOf } from './level.ts'
import { readAmount, writeAmount } from './money.ts'

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
