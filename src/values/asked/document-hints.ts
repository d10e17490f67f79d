import { chanceKey } from '../../engine/random.ts'
import type { ContractChange } from '../../contract/load/load.ts'
import { walk } from '../../contract/load/document-structure.ts'
import { asObject, isObject, mapTexts, type Members, textOrJson } from '../../base/formats/json.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { visible } from '../../base/errors/wording.ts'
import { readGenerator } from './asked-value.ts'
import { generatorOfHelper } from './helper-calls.ts'
import { faker, fakerOf, localize, seedFaker } from '../faker.ts'

interface HintSettings {
  readonly seed: number
  readonly locale: string
}

/**
 * What documents for other mock servers say of values outside of schemas: `x-json-schema-faker: { locale }` as in Prism, and templates in
 * examples (`{{faker 'person.firstName'}}`) as in Mockoon. Templates are filled once, so that all that shows an example shows the same.
 */
export function readDocumentHints({ seed, locale }: HintSettings): ContractChange {
  return {
    key: `hints ${seed} ${locale}`,
    apply(document) {
      const notes: string[] = []
      const hinted = readOptions(document['x-json-schema-faker'], notes)
      const local = locale === 'en' ? (hinted ?? faker) : fakerOf(locale)
      const changed = fillExamples(document, { seed, local, notes })
      if (local !== faker) localize(changed, local)
      return { document: changed, notes }
    },
  }
}

/** The locale that a document asks for, as Prism reads it. Its other options are named. */
function readOptions(given: unknown, notes: string[]): typeof faker | undefined {
  const { locale, ...others } = asObject(given)
  for (const option of Object.keys(others))
    notes.push(`x-json-schema-faker: \`${visible(option)}\` is ignored. Only \`locale\` is read.`)
  if (locale === undefined) return undefined
  try {
    return fakerOf(asText(locale), 'x-json-schema-faker/locale')
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    notes.push(`${error.message} It is ignored.`)
    return undefined
  }
}

/** The most notes about templates. */
const MAX_NOTES = 20

/** The document with the templates of its examples filled; the document itself where there are none. */
function fillExamples(document: Members, { seed, local, notes }: HelperSource & { readonly notes: string[] }): Members {
  const holders: { readonly holder: Members; readonly pointer: string }[] = []
  walk(document, (_kind, value, pointer) => {
    if (isObject(value) && NAMES.some((name) => value[name] !== undefined && hasTemplate(value[name])))
      holders.push({ holder: value, pointer })
  })
  if (holders.length === 0) return document
  const filled = new Map<unknown, Members>()
  for (const { holder, pointer } of holders) {
    const parts = NAMES.filter((name) => holder[name] !== undefined).map((name) => {
      let index = 0
      const fill = (text: string) => {
        const { value, unknown } = fillText(text, holder.type, {
          seed: chanceKey(seed, `${pointer}/${name} ${index++}`),
          local,
        })
        for (const one of unknown)
          if (notes.length < MAX_NOTES)
            notes.push(`#${pointer}/${name}: the template {{${one}}} has no equal. It is left as it is.`)
        return value
      }
      return [name, mapTexts(holder[name], (text) => (text.includes('{{') ? fill(text) : text))] as const
    })
    filled.set(holder, { ...holder, ...Object.fromEntries(parts) })
  }
  return replaced(document, filled) as Members
}

/** Where objects of OpenAPI have examples. */
const NAMES = ['example', 'examples', 'value'] as const

function hasTemplate(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{')
  return typeof value === 'object' && value !== null && Object.values(value).some(hasTemplate)
}

/** A copy with other objects in place of some. An outer one is replaced before those within it are looked for. */
function replaced(value: unknown, by: ReadonlyMap<unknown, Members>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const held = by.get(value) ?? value
  if (Array.isArray(held)) return held.map((one) => replaced(one, by))
  return Object.fromEntries(Object.entries(held).map(([name, one]) => [name, replaced(one, by)]))
}

interface HelperSource {
  readonly seed: number
  readonly local: typeof faker
}

/** A text that is one place becomes the value, of the type that the schema has. */
function fillText(
  text: string,
  type: unknown,
  filling: HelperSource,
): { readonly value: unknown; readonly unknown: string[] } {
  const unknown: string[] = []
  let number = 0
  const fill = (helper: string): unknown => {
    const made = valueOf(helper.trim(), { ...filling, seed: (filling.seed + number++) | 0 })
    if (made === undefined) unknown.push(helper.trim())
    return made
  }
  const [, whole] = /^\{\{\{?([^{}]*)\}\}\}?$/.exec(text) ?? []
  if (whole !== undefined) {
    const made = fill(whole) ?? text
    return { value: type === 'string' || made instanceof Date ? asText(made) : made, unknown }
  }
  const value = text.replaceAll(/\{\{\{?([^{}]*)\}\}\}?/g, (place, helper: string) => asText(fill(helper) ?? place))
  return { value, unknown }
}

function asText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return textOrJson(value)
}

/** Dates of examples lie near it. */
const MOMENT = Date.UTC(2026, 0, 1)

function valueOf(helper: string, { seed, local }: HelperSource): unknown {
  const asked = generatorOfHelper(helper)
  const read = asked === undefined ? undefined : readGenerator(asked)
  if (!read || !('make' in read)) return undefined
  seedFaker({ seed, now: MOMENT, local })
  try {
    return read.make({ seed, local })
  } catch {
    return undefined
  }
}
