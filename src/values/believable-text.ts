import { faker, seedFaker } from './faker.ts'
import {
  emailAddress,
  formatOf,
  type Hint,
  hostName,
  loginNames,
  PICTURE,
  pictureOf,
  regionOf,
  textOfFormat,
} from './formats.ts'
import { exampleOf } from './merge-schema.ts'
import { textOfPattern } from './pattern.ts'
import { remembering } from '../base/cache.ts'
import { LONGEST_TEXT, linearPattern } from '../contract/schemas/patterns.ts'
import { plainName, wordsOf } from '../base/formats/names.ts'
import { isPerson } from './consistency/contact.ts'

type MakeText = (hint: Hint) => string

/** Texts by the name of their property, in lower case and without separators. The first match counts. */
const TEXTS: readonly (readonly [RegExp, MakeText])[] = [
  [/^(.*e)?mail(address)?$/, emailAddress],
  [/^(first|given|fore)name$/, ({ local }) => local.person.firstName()],
  [/^(last|family|sur)name$/, ({ local }) => local.person.lastName()],
  [
    /^(fullname|displayname|realname|author|owner|assignee|contact|recipient|sender|person)(name)?$/,
    ({ local }) => local.person.fullName(),
  ],
  [
    /^(user(name)?|login|handle|nick(name)?|screenname)$/,
    ({ local }) => faker.internet.username(loginNames(local)).toLowerCase(),
  ],
  [/(phone|mobile|fax|tel)(number)?$/, ({ local }) => local.phone.number({ style: 'international' })],
  [
    /^(company|organi[sz]ation|employer|vendor|supplier|merchant|brand|manufacturer)(name)?$/,
    ({ local }) => local.company.name(),
  ],
  [/^(job|position|jobtitle|profession|role(name)?)$/, ({ local }) => local.person.jobTitle()],
  [/^(product|item|sku)name$|^product$/, ({ local }) => local.commerce.productName()],
  [/^(department|category|section|genre|team)(name)?$/, ({ local }) => local.commerce.department()],
  [/^(street|address|line|streetaddress|addressline)1?$/, ({ local }) => local.location.streetAddress()],
  [/^(address|line|addressline)2$/, ({ local }) => local.location.secondaryAddress()],
  [/^(city|town|locality)(name)?$/, ({ local }) => local.location.city()],
  [/^(state|region|province|county)(name)?$/, ({ local }) => regionOf(local)],
  [/^(zip|postal|post)(code)?$/, ({ local }) => local.location.zipCode()],
  [/^country(name)?$/, ({ local }) => local.location.country()],
  [/last4(digits)?$/, () => faker.string.numeric(4)],
  [/^countrycode$/, () => faker.location.countryCode()],
  [/^(currency|currencycode)$/, () => faker.helpers.arrayElement(['EUR', 'USD', 'GBP'])],
  [/^(locale|language|lang|languagecode)$/, () => faker.helpers.arrayElement(['en', 'en-US', 'de', 'fr', 'es', 'ja'])],
  [/^(time)?zone$|^timezoneid$/, () => faker.location.timeZone()],
  [PICTURE, pictureOf],
  [/(url|uri|href|link|website|homepage|endpoint|callback|webhook)s?$/, (hint) => textOfFormat('uri', hint) ?? ''],
  [/^(host|hostname|domain|domainname)$/, hostName],
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
  [/iban$/, ibanLike],
  [/^(gender|sex)$/, () => faker.person.sex()],
  [/^(type|kind)$/, () => faker.word.noun()],
  [/name$/, nameOf],
]

/** A text that fits its format, or else the name of its property, and its schema. */
export function believableText(hint: Hint): string {
  const { schema, name, seed } = hint
  seedFaker(hint)
  const format = formatOf(schema)
  const formatted = format === undefined ? undefined : textOfFormat(format, hint)
  const text = formatted ?? (makerFor(name) ?? phrase)(hint)
  const least = typeof schema.minLength === 'number' ? Math.min(schema.minLength, LONGEST_TEXT) : 0
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Infinity
  const fits = (one: string) => Array.from(one).length >= least && Array.from(one).length <= most
  const pattern = typeof schema.pattern === 'string' ? linearPattern(schema.pattern) : undefined
  const spelled =
    pattern && [text, text.toLowerCase(), text.toUpperCase()].find((one) => fits(one) && pattern.test(one))
  if (pattern) return spelled ?? textOfPattern(pattern, seed, fits) ?? fitLength(text, least, most)
  // Padding would break the format.
  return fits(text) || (formatted !== undefined && most === Infinity) ? text : fitLength(text, least, most)
}

/** Whether the name of a property says what its text is about. */
export function isMeaningful(name: string): boolean {
  return makerFor(name) !== undefined
}

/** Few names are used for many texts. */
const MOST_NAMES = 1000

/** What precedes a part of an address: `billing_city`, `addressZip`. */
const PLACE = /^(billing|shipping|delivery|mailing|home|work)?(address)?/

const ENDS_LIKE_ID =
  /^(hybrid|(data)?grid|(in)?valid|(un|pre|re)?paid|void|avoid|fluid|liquid|solid|rapid|humid|acid|aid|bid|lid|kid|mid|android|orchid|pyramid|covid|monkey|turkey|donkey|hockey|jockey|whiskey)$/

function textMaker(plain: string): MakeText | undefined {
  return TEXTS.find(([pattern]) => pattern.test(plain))?.[1]
}

const findMaker = remembering(MOST_NAMES, (name: string) => {
  // `grid` ends like an id, and `turkey` like a key.
  const plain = ENDS_LIKE_ID.test(wordsOf(name).at(-1) ?? '') ? '' : plainName(name)
  return { make: [plain, plain.replace(PLACE, '')].map(textMaker).find((one) => one !== undefined) }
})

function makerFor(name: string): MakeText | undefined {
  return findMaker(name).make
}

function fitLength(text: string, least: number, most: number): string {
  const long = text.length >= least ? text : text.padEnd(least, ` ${text}`)
  const cut = Array.from(long).slice(0, most).join('')
  return cut.trimEnd().length >= least ? cut.trimEnd() : cut.replaceAll(' ', 'x')
}

/** A name for a property that the schema does not name. */
export function propertyName(seed: number): string {
  faker.seed(seed)
  return faker.word.noun().replaceAll(/\W/g, '')
}

/** Names by the schema that has them. */
function nameOf({ owner, local }: Hint): string {
  const whose = plainName(owner)
  if (isPerson(owner)) return local.person.fullName()
  if (/(company|org|vendor|supplier|merchant|tenant)/.test(whose)) return local.company.name()
  if (/(product|item|article|sku)/.test(whose)) return local.commerce.productName()
  if (/(file|document|attachment|image)/.test(whose)) return faker.system.commonFileName()
  if (/(city|place|location|region)/.test(whose)) return local.location.city()
  if (/(pet|animal|dog|cat)(?!egor|alog)/.test(whose)) return local.person.firstName()
  return sentence(2)
}

/** An account number of the same country as the example, with check digits of its own. */
function ibanLike({ schema }: Hint): string {
  const [, countryCode = 'DE'] = /^([A-Z]{2})\d{2}/.exec(String(exampleOf(schema))) ?? []
  return faker.finance.iban({ countryCode: IBAN_COUNTRIES.has(countryCode) ? countryCode : 'DE' })
}

const IBAN_COUNTRIES = new Set('AT BE CH CZ DE DK ES FI FR GB IE IT LU NL NO PL PT SE'.split(' '))

function sentence(words: number): string {
  const said = [faker.word.adjective(), ...Array.from({ length: words - 1 }, () => faker.word.noun())].join(' ')
  return said.charAt(0).toUpperCase() + said.slice(1)
}

function phrase(): string {
  return `${faker.word.adjective()} ${faker.word.noun()}`
}
