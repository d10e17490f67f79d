import { faker } from '@faker-js/faker/locale/en'
import type { FlatSchema } from './flatten.ts'
import { formOf, textOfFormat } from './format.ts'
import { type DrawText, fitText } from './fit-text.ts'

/** What is known of a value that is to be made. */
export interface Hint {
  /** What it is called: `firstName`. */
  readonly name: string
  /** The named schema that it is a member of: `Customer`; empty when there is none. */
  readonly owner: string
  readonly schema: FlatSchema
  readonly seed: number
  /** Epoch ms: dates are not far from it. */
  readonly now: number
  /** How texts of patterns are found. */
  readonly draw: DrawText
}

type Say = (hint: Hint) => string

/** What texts are called, without case and separators, and what such texts say. The first that fits is taken. */
const TEXTS: readonly (readonly [RegExp, Say])[] = [
  [/^(.*e)?mail(address)?$/, () => faker.internet.email().toLowerCase()],
  [/^(first|given|fore)name$/, () => faker.person.firstName()],
  [/^(last|family|sur)name$/, () => faker.person.lastName()],
  [
    /^(fullname|displayname|realname|author|owner|assignee|contact|recipient|sender|person)(name)?$/,
    () => faker.person.fullName(),
  ],
  [/^(user(name)?|login|handle|nick(name)?|screenname)$/, () => faker.internet.username().toLowerCase()],
  [/(phone|mobile|fax|tel)(number)?$/, () => faker.phone.number({ style: 'international' })],
  [
    /^(company|organi[sz]ation|employer|vendor|supplier|merchant|brand|manufacturer)(name)?$/,
    () => faker.company.name(),
  ],
  [/^(job|position|jobtitle|profession|role(name)?)$/, () => faker.person.jobTitle()],
  [/^(product|item|sku)name$|^product$/, () => faker.commerce.productName()],
  [/^(department|category|section|genre|team)(name)?$/, () => faker.commerce.department()],
  [/^(street|address|line|streetaddress|addressline)1?$/, () => faker.location.streetAddress()],
  [/^(address|line|addressline)2$/, () => faker.location.secondaryAddress()],
  [/^(city|town|locality)(name)?$/, () => faker.location.city()],
  [/^(state|region|province|county)(name)?$/, () => faker.location.state()],
  [/^(zip|postal|post)(code)?$/, () => faker.location.zipCode()],
  [/^country(name)?$/, () => faker.location.country()],
  [/^countrycode$/, () => faker.location.countryCode()],
  [/^(currency|currencycode)$/, () => faker.finance.currencyCode()],
  [/^(locale|language|lang|languagecode)$/, () => faker.helpers.arrayElement(['en', 'en-US', 'de', 'fr', 'es', 'ja'])],
  [/^(time)?zone$|^timezoneid$/, () => faker.location.timeZone()],
  [/(url|uri|href|link|website|homepage|endpoint|callback|webhook)s?$/, (hint) => textOfFormat('uri', hint) ?? ''],
  [/^(host|hostname|domain|domainname)$/, () => faker.internet.domainName()],
  [/^(ip|ipaddress|remoteaddr|ipv4)$/, () => faker.internet.ipv4()],
  [/^ipv6$/, () => faker.internet.ipv6()],
  [/^(useragent)$/, () => faker.internet.userAgent()],
  [/^mac(address)?$/, () => faker.internet.mac()],
  [/^(mime|content|media)type$/, () => faker.system.mimeType()],
  [/^(file|document|attachment)(name)?$/, () => faker.system.commonFileName()],
  [/(path|directory|folder)$/, () => faker.system.filePath()],
  [/^(ext|extension|fileextension)$/, () => faker.system.commonFileExt()],
  [/^(version|release|apiversion)$/, () => faker.system.semver()],
  [/(sha|commit|hash|digest|checksum|fingerprint|etag)(256)?$/, () => faker.git.commitSha()],
  [/^(branch|ref)(name)?$/, () => faker.git.branch()],
  [
    /(created|updated|modified|deleted|expires?|started|finished|completed|published|sent|received|last.*)(at|on|date|time)$|^(timestamp|date(time)?|created|updated|modified)$/,
    (hint) => textOfFormat('date-time', hint) ?? '',
  ],
  [/(date|day|birthday|dob)$/, (hint) => textOfFormat('date', hint) ?? ''],
  [/(uu|gu)id$/, () => faker.string.uuid()],
  [/(^|.)(id|identifier|key)$/, () => faker.string.alphanumeric({ length: 12, casing: 'lower' })],
  [/(token|secret|password|apikey|nonce|cursor|next|signature)$/, () => faker.string.alphanumeric(32)],
  [/^(colou?r)$/, () => faker.color.rgb()],
  [
    /^(code|sku|ref|reference|number|serial(number)?)$/,
    () => faker.string.alphanumeric({ length: 8, casing: 'upper' }),
  ],
  [/^(slug|permalink)$/, () => faker.lorem.slug(3)],
  [/^(title|subject|headline|summary|label|caption|displayname)$/, () => sentence(3)],
  [
    /^(description|comment|note|notes|body|content|message|text|details?|reason|bio|about|abstract)$/,
    () => faker.company.catchPhrase() + '.',
  ],
  [/^(status|state)$/, () => faker.helpers.arrayElement(['active', 'pending', 'done'])],
  [/^tags?$|^keywords?$/, () => faker.word.adjective()],
  [/^(price|amount|total|cost|balance)$/, () => faker.commerce.price()],
  [/^(iban)$/, () => faker.finance.iban()],
  [/^(gender|sex)$/, () => faker.person.sex()],
  [/^(type|kind)$/, () => faker.word.noun()],
  [/name$/, nameOf],
]

/** A text that its name, its format and its schema go together with. */
export function believableText(hint: Hint): string {
  const { schema } = hint
  seed(hint)
  const form = formOf(schema)
  const formed = form === undefined ? undefined : textOfFormat(form, hint)
  const text = formed ?? (TEXTS.find(([called]) => called.test(plainName(hint.name)))?.[1] ?? phrase)(hint)
  return fitText(text, hint, formed !== undefined)
}

/** A word for the name of a member that no property names. */
export function word(chance: number): string {
  faker.seed(chance)
  return faker.word.noun().replaceAll(/\W/g, '')
}

function seed({ seed: chance, now }: Pick<Hint, 'seed' | 'now'>): void {
  // The package's one instance for English: seeded here, used at once, and nowhere else without being seeded again.
  faker.seed(chance)
  faker.setDefaultRefDate(now)
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, '')
}

/** What things are called depends on whose name it is. */
function nameOf({ owner }: Hint): string {
  const whose = plainName(owner)
  if (/(user|person|people|customer|contact|member|owner|author|employee|patient|actor|account)/.test(whose))
    return faker.person.fullName()
  if (/(company|org|vendor|supplier|merchant|tenant)/.test(whose)) return faker.company.name()
  if (/(product|item|article|sku)/.test(whose)) return faker.commerce.productName()
  if (/(file|document|attachment|image)/.test(whose)) return faker.system.commonFileName()
  if (/(city|place|location|region)/.test(whose)) return faker.location.city()
  if (/(pet|animal|dog|cat)/.test(whose)) return faker.person.firstName()
  return sentence(2)
}

function sentence(words: number): string {
  const said = [faker.word.adjective(), ...Array.from({ length: words - 1 }, () => faker.word.noun())].join(' ')
  return said.charAt(0).toUpperCase() + said.slice(1)
}

function phrase(): string {
  return `${faker.word.adjective()} ${faker.word.noun()}`
}

/** What numbers are called, and from where to where they lie: nothing that is counted or measured is negative. */
const NUMBERS: readonly (readonly [RegExp, number, number])[] = [
  [/(^|.)id$/, 1, 99_999],
  [/(size|bytes|length|filesize|capacity)$/, 1, 5_000_000],
  [/^(lat|latitude)$/, -80, 80],
  [/^(lon|lng|long|longitude)$/, -180, 180],
  [/^(age)$/, 18, 90],
  [/(percent|percentage|progress|score|rating)$/, 0, 100],
  [/^(port)$/, 1024, 65_535],
  [/^(hour|hourofday)$/, 0, 23],
  [/^(min|minute|minofhour|second)s?$/, 0, 59],
  [/^(month)$/, 1, 12],
  [/^(day|dayofmonth)$/, 1, 28],
  [/(page|offset|index|position|order|rank|priority|level|version|attempts?|retries)$/, 1, 10],
  [/(count|total|quantity|qty|number|stock|views|likes|members)$/, 0, 200],
  [/(price|amount|cost|balance|fee|tax|subtotal|salary)$/, 1, 2000],
  [/(width|height)$/, 16, 4096],
  [/(duration|timeout|ttl|interval|seconds|expiresin|milliseconds)$/, 1, 3600],
  [/(status|statuscode|code)$/, 100, 599],
]

/** A number in the range of its schema, and within that in the range of what it is called. */
export function believableNumber(hint: Hint, isWhole: boolean): number {
  seed(hint)
  const { schema, now } = hint
  const name = plainName(hint.name)
  const whole = isWhole || schema.format === 'int32' || schema.format === 'int64'
  const moment = whole ? momentOf(name, hint) : undefined
  const year = new Date(now).getUTCFullYear()
  const [, usualLeast, usualMost] = name.endsWith('year')
    ? [name, year - 3, year]
    : (NUMBERS.find(([called]) => called.test(name)) ?? [name, 1, 1000])
  const [least, most] = rangeOf(schema, whole)
  const from = Math.max(least, Math.min(usualLeast, most))
  const to = Math.min(most, Math.max(usualMost, from))
  if (moment !== undefined && moment >= least && moment <= most) return moment
  const step = typeof schema.multipleOf === 'number' && schema.multipleOf > 0 ? schema.multipleOf : whole ? 1 : 0.01
  const lowest = Math.ceil(from / step)
  const steps = Math.max(lowest, Math.floor(Math.max(to, from) / step))
  const drawn = faker.number.int({ min: safe(lowest), max: safe(steps) }) * step
  return whole && Number.isInteger(step) ? drawn : Number(drawn.toPrecision(12))
}

function safe(value: number): number {
  return Math.min(Math.max(value, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
}

/** `createdAt` as a number is an instant in milliseconds, `created_at` in seconds. */
function momentOf(name: string, { name: called, now }: Hint): number | undefined {
  if (
    !/(at|date|timestamp|time)$/.test(name) ||
    !/(created|updated|modified|expires?|timestamp|last|date|next)/.test(name)
  )
    return undefined
  const moment = faker.date.recent({ days: 30, refDate: now }).getTime()
  return called.includes('_') ? Math.floor(moment / 1000) : moment
}

function rangeOf(schema: FlatSchema, isWhole: boolean): [number, number] {
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

/** Most things are enabled, and few are deleted. */
export function believableTruth(hint: Hint): boolean {
  seed(hint)
  const name = plainName(hint.name)
  if (/(deleted|archived|disabled|locked|blocked|hidden|expired|deprecated|error|failed|truncated)$/.test(name))
    return faker.number.int(9) === 0
  if (/(enabled|active|available|verified|valid|visible|success|ok)$/.test(name)) return faker.number.int(9) > 0
  return faker.datatype.boolean()
}
