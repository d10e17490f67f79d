// Checks spec/behaviours.yaml and writes types/behaviour-settings.d.ts, the type of every setting. With --check it writes nothing and
// fails when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { checkCatalog } from './check-catalog.ts'
import type { Behaviour } from '../src/behaviours/catalog.ts'
import { readPackaged } from '../src/base/formats/source-file.ts'
import { hasNumber, partsOf } from '../src/behaviours/options.ts'
import type { Options, ValueKind } from '../src/behaviours/options.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'types/behaviour-settings.d.ts')

const values: Readonly<Record<ValueKind, string>> = {
  boolean: 'boolean',
  text: 'string',
  'time-zone': 'string',
  recipients: `readonly { readonly type: 'EMAIL' | 'USER' | 'GROUP'; readonly value: string }[]`,
}

function typeOf(options: Options): string {
  if ('choice' in options) {
    const object = options.orObjectWith === undefined ? [] : [`{ readonly ${options.orObjectWith}: unknown }`]
    return [...options.choice.map(typeOfWord), ...object].join(' | ')
  }
  if ('number' in options) return 'number'
  if ('list' in options) return `readonly (${options.list.of.map(quoted).join(' | ')})[]`
  if ('value' in options) return values[options.value]
  const parts = Object.entries(partsOf(options)).map(([name, part]) => `readonly ${name}: ${typeOf(part)}`)
  return `{ ${parts.join('; ')} }`
}

/** `clamp:N` becomes a template type with a number in the place of N. */
function typeOfWord(word: string): string {
  return hasNumber(word) ? `\`${word.replaceAll(/\b[A-Z]\b/g, '${number}')}\`` : quoted(word)
}

function quoted(word: string): string {
  return `'${word}'`
}

function member({ id, question, options, default: usual }: Behaviour): string {
  const type = options === undefined ? quoted(String(usual)) : typeOf(options)
  return `/** ${question} */\nreadonly ${quoted(id)}: ${type}`
}

function render(behaviours: readonly Behaviour[]): string {
  return [
    '// Generated from spec/behaviours.yaml by scripts/generate-behaviour-settings.ts. Do not edit: change the behaviour catalogue and run',
    '// node scripts/generate-behaviour-settings.ts',
    '',
    '/** The setting of every behaviour, by id. */',
    `export interface BehaviourSettings {\n${behaviours.map(member).join('\n')}\n}`,
    '',
    '/** The id of a behaviour. */',
    'export type BehaviourId = keyof BehaviourSettings',
  ].join('\n')
}

const { behaviours } = checkCatalog(readPackaged('spec/behaviours.yaml').value)
const text = await format(render(behaviours), { ...(await resolveConfig(target)), parser: 'typescript' })

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error('types/behaviour-settings.d.ts is stale. Run: node scripts/generate-behaviour-settings.ts')
  process.exitCode = 1
}
