import { faker, seedFaker } from './faker.ts'
import { type Hint, momentNear } from './formats.ts'
import type { MergedSchema } from './merge-schema.ts'
import { plainName } from '../base/formats/names.ts'

/** Numbers by the name of their property, with the least and the greatest: counts and measures are never negative. */
const NUMBERS: readonly (readonly [name: RegExp, least: number, most: number, step?: number])[] = [
  [/rating(value|average|avg|score)?$|^stars$/, 1, 5, 0.1],
  [/^(embeddings?|vector|logprob)$/, -1, 1, 0.0001],
  [/(^|.)id$/, 1, 99_999, 1],
  [/(size|bytes|length|filesize|capacity)$/, 1, 5_000_000, 1],
  [/^(lat|latitude)$/, -80, 80],
  [/^(lon|lng|long|longitude)$/, -180, 180],
  [/^(age)$/, 18, 90],
  [/(percent|percentage|progress|score)$/, 0, 100],
  [/^(port)$/, 1024, 65_535],
  [/^(hour|hourofday)$/, 0, 23],
  [/^(min|minute|minofhour|second)s?$/, 0, 59],
  [/^(exp(iry|iration)?|birth)?month$/, 1, 12],
  [/^(day|dayofmonth)$/, 1, 28],
  [/(page|offset|index|position|order|rank|priority|level|version|attempts?|retries)$/, 1, 10, 1],
  [/(count|quantity|qty|number|stock|views|likes|members)$/, 0, 200, 1],
  [/total$/, 0, 200],
  [/(price|amount|cost|balance|fee|tax|subtotal|salary)$/, 1, 2000],
  [/(width|height)$/, 16, 4096],
  [/(duration|timeout|ttl|interval|seconds|expiresin|milliseconds)$/, 1, 3600],
  [/(status|statuscode|code)$/, 100, 599],
]

/** A number in the range of its schema and, within that, in the range that its name suggests. */
export function believableNumber(hint: Hint, isWhole: boolean): number {
  seedFaker(hint)
  const { schema, now } = hint
  const name = plainName(hint.name)
  const whole = isWhole || schema.format === 'int32' || schema.format === 'int64'
  const moment = whole ? momentOf(name, hint) : undefined
  const year = new Date(now).getUTCFullYear()
  const [, usualLeast, usualMost, usualStep] = name.endsWith('year')
    ? [name, ...(name.startsWith('exp') ? ([year + 1, year + 4] as const) : ([year - 3, year] as const)), undefined]
    : (NUMBERS.find(([pattern]) => pattern.test(name)) ?? [name, 1, 1000, undefined])
  const [least, most] = rangeOf(schema, whole)
  const from = Math.max(least, Math.min(usualLeast, most))
  const to = Math.min(most, Math.max(usualMost, from))
  if (moment !== undefined && moment >= least && moment <= most) return moment
  const step = stepOf(schema, whole, usualStep)
  const lowest = Math.min(Math.ceil(from / step), Math.max(Math.ceil(least / step), Math.floor(most / step)))
  const steps = Math.max(lowest, Math.floor(Math.max(to, from) / step))
  const drawn = faker.number.int({ min: safe(lowest), max: safe(steps) }) * step
  return whole && Number.isInteger(step) ? drawn : Number(drawn.toPrecision(12))
}

/** The least number of a range that has a lower bound, else the one nearest to 0. */
export function leastNumber(schema: MergedSchema, isWhole: boolean): number {
  const [least, most] = rangeOf(schema, isWhole)
  const step = stepOf(schema, isWhole)
  const from = least === -Infinity ? Math.min(0, most) : least
  return Number((Math.ceil(from / step) * step).toPrecision(12))
}

function stepOf({ multipleOf }: MergedSchema, isWhole: boolean, usual = 0.01): number {
  return typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : isWhole ? 1 : usual
}

function safe(value: number): number {
  return Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}

/**
 * A number called `createdAt` is a timestamp in milliseconds, `created_at` one in seconds. `unix-time` is seconds, and so is the Unix epoch
 * of a description that does not speak of milliseconds.
 */
function momentOf(name: string, hint: Hint): number | undefined {
  const { name: written, schema } = hint
  const said = typeof schema.description === 'string' ? schema.description : ''
  const isUnix = String(schema.format).startsWith('unix') || /\b(unix|epoch)\b/i.test(said)
  const isNamed =
    /(at|date|timestamp|time)$/.test(name) && /(created|updated|modified|expires?|timestamp|last|date|next)/.test(name)
  if (!isUnix && !isNamed) return undefined
  const moment = momentNear(hint).getTime()
  const isInSeconds = isUnix ? !/\bmilli|\bms\b/i.test(said) : written.includes('_')
  return isInSeconds ? Math.floor(moment / 1000) : moment
}

function rangeOf(schema: MergedSchema, isWhole: boolean): [number, number] {
  const tiny = isWhole ? 1 : 0.01
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const most32 = schema.format === 'int32' ? 2 ** 31 - 1 : Infinity
  return [
    Math.max(
      typeof minimum === 'number' ? minimum : -Infinity,
      typeof exclusiveMinimum === 'number' ? exclusiveMinimum + tiny : -Infinity,
    ),
    Math.min(
      typeof maximum === 'number' ? maximum : Infinity,
      typeof exclusiveMaximum === 'number' ? exclusiveMaximum - tiny : Infinity,
      most32,
    ),
  ]
}

/** Most flags such as `enabled` are true, and most such as `deleted` are false. */
export function believableBoolean(hint: Hint): boolean {
  seedFaker(hint)
  const name = plainName(hint.name)
  if (/(deleted|archived|disabled|locked|blocked|hidden|expired|deprecated|error|failed|truncated)$/.test(name))
    return faker.number.int(9) === 0
  if (/(enabled|active|available|instock|verified|valid|visible|success|ok)$/.test(name)) return faker.number.int(9) > 0
  return faker.datatype.boolean()
}
