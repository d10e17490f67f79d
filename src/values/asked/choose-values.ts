import { CHOSEN, KEYWORDS, readGenerator } from './asked-value.ts'
import { fakerFor, fakerOf, localize } from '../faker.ts'
import type { Config } from '../../config/config.ts'
import type { ContractChange } from '../../contract/load/load.ts'
import { walk } from '../../contract/load/document-structure.ts'
import { valueAt } from '../../contract/pointer.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { didYouMean } from '../../base/errors/wording.ts'
import { asList, encodePointer, isObject, splitPointer, stringifyJson } from '../../base/formats/json.ts'

type ValueSettings = Pick<Config, 'locale' | 'values' | 'names'>

/** What the settings of generated values change of a contract; undefined for nothing. @throws StartupError with all that is wrong in them */
export function chooseValues(config: ValueSettings): ContractChange | undefined {
  const { locale, values, names } = config
  const isNone = Object.keys(values).length === 0
  if (locale === 'en' && isNone) return undefined
  // A document may have a locale of its own.
  const local = locale === 'en' ? undefined : fakerOf(locale, names.locale?.('') ?? 'locale')
  const chosen = isNone ? undefined : readValues(config)
  return {
    key: stringifyJson([locale, values]),
    apply(document) {
      const changed = chosen ? structuredClone(document) : { ...document }
      const notes = chosen ? writeValues({ changed, written: document }, chosen, config) : []
      localize(changed, local ?? fakerFor(document))
      return { document: changed, notes }
    },
  }
}

/** The most entries, and the most that each leads to another. */
const MOST = 1000
const LONGEST_CHAIN = 10

type Chosen = ReadonlyMap<string, unknown>

/** What makes the values of each entry. An entry may name another one. */
function readValues(config: ValueSettings): Chosen {
  const entries = Object.entries(config.values)
  if (entries.length > MOST)
    throw new StartupError([
      `${config.names.values?.('') ?? 'values'}: expected at most ${MOST} entries, got ${entries.length}.`,
    ])
  const complaints: string[] = []
  const chosen = entries.map(([name, given]) => {
    let generator = given
    for (let step = 0; step < LONGEST_CHAIN && isEntry(config, generator); step++) generator = config.values[generator]
    const read = isEntry(config, generator)
      ? { why: 'it leads back to itself, by way of other entries' }
      : readGenerator(generator)
    if (!('make' in read)) {
      const remedy =
        typeof generator === 'string' && /^[^.{]*$/.test(generator)
          ? ` For this text alone, write \`{ oneOf: [${generator}] }\`.`
          : (read.remedy ?? '')
      complaints.push(`${placeOf(config, name)}: ${name}: ${read.why}.${remedy}`)
    }
    return [name, generator] as const
  })
  if (complaints.length > 0) throw new StartupError(complaints)
  return new Map(chosen)
}

function isEntry({ values }: ValueSettings, generator: unknown): generator is string {
  return typeof generator === 'string' && Object.hasOwn(values, generator)
}

function placeOf({ names }: ValueSettings, name: string): string {
  return names.values?.(`/${encodePointer(name)}`) ?? 'values'
}

interface ChangedDocument {
  readonly changed: Readonly<Record<string, unknown>>
  /** As it was. */
  readonly written: Readonly<Record<string, unknown>>
}

/** Writes what makes them into the schemas of members, and says which entries are of none. */
function writeValues(document: ChangedDocument, chosen: Chosen, config: ValueSettings): readonly string[] {
  const used = new Set(Object.values(config.values).filter((one) => isEntry(config, one)))
  const known = new Set<string>()
  const write = (schema: Record<string, unknown>, name: string) => {
    used.add(name)
    schema[CHOSEN] = { by: name, make: chosen.get(name) }
  }
  walk(document.changed, (kind, schema, pointer) => {
    if (kind !== 'schema' || !isObject(schema)) return
    const named = KEYWORDS.map((keyword) => schema[keyword]).find((one) => isEntry(config, one))
    if (named !== undefined) write(schema, named)
    const holder = holderOf(pointer)
    for (const [name, member] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
      const names = [`${holder}.${name}`, name]
      for (const one of names) known.add(one)
      const found = names.find((one) => chosen.has(one))
      if (found !== undefined && isObject(member)) write(member, found)
    }
  })
  for (const name of chosen.keys()) if (!used.has(name)) writeInherited(document, name, write)
  const notes = [...chosen.keys()].map((name) => {
    if (used.has(name)) return []
    const [, member = ''] = name.split('.')
    const others = [...known].filter((one) => one.endsWith(`.${member}`))
    const hint = didYouMean(name, member !== '' && others.length > 0 ? others : [...known])
    return `${placeOf(config, name)}: ${name}: no schema has such a member, and no x-faker names it, so it is ignored.${hint}`
  })
  return notes.flat()
}

/** `Customer` for its schema and the parts of that, `address` for a schema that a member of this name has; empty for others. */
function holderOf(pointer: string): string {
  const parts = splitPointer(pointer.replace(/(?:\/(?:(?:allOf|anyOf|oneOf)\/\d+|items))+$/, ''))
  return ['schemas', 'properties'].includes(parts.at(-2) ?? '') ? (parts.at(-1) ?? '') : ''
}

/** `Customer.email` where a customer has that from another schema, which stays as it is. */
function writeInherited(
  { changed, written }: ChangedDocument,
  entry: string,
  write: (schema: Record<string, unknown>, name: string) => void,
): void {
  const [, holder = '', name = ''] = /^([^.]+)\.(.+)$/s.exec(entry) ?? []
  const pointer = `/components/schemas/${encodePointer(holder)}`
  const schema = valueAt(changed, pointer)
  const inherited = shapeOf(written, valueAt(written, pointer), 'any').properties.get(name)
  if (!isObject(schema) || inherited === undefined) return
  const member = { allOf: [inherited] }
  write(member, entry)
  // The last part counts where several have a member.
  Object.assign(schema, { allOf: [...asList(schema.allOf), { properties: { [name]: member } }] })
}
