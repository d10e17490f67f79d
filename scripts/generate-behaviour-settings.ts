// Writes types/behaviour-settings.d.ts, the type of every setting, from spec/behaviours.yaml. With --check it writes nothing and
// fails when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { readCatalog, type Behaviour } from '../src/behaviours/catalog.ts'
import { readPackaged } from '../src/formats/source-file.ts'
import { hasNumber, partsOf } from '../src/behaviours/options.ts'
import type { Switch, ValueKind } from '../src/behaviours/options.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'types/behaviour-settings.d.ts')

const values: Readonly<Record<ValueKind, string>> = {
  boolean: 'boolean',
  text: 'string',
  'time-zone': 'string',
  recipients: `readonly { readonly type: 'EMAIL' | 'USER' | 'GROUP'; readonly value: string }[]`,
}

function typeOf(form: Switch): string {
  if ('choice' in form) {
    const object = form.orObjectWith === undefined ? [] : [`{ readonly ${form.orObjectWith}: unknown }`]
    return [...form.choice.map(typeOfWord), ...object].join(' | ')
  }
  if ('number' in form) return 'number'
  if ('list' in form) return `readonly (${form.list.of.map(quoted).join(' | ')})[]`
  if ('value' in form) return values[form.value]
  const parts = Object.entries(partsOf(form)).map(([name, part]) => `readonly ${name}: ${typeOf(part)}`)
  return `{ ${parts.join('; ')} }`
}

/** `clamp:N` becomes a template type with a number in the place of N. */
function typeOfWord(word: string): string {
  return hasNumber(word) ? `\`${word.replaceAll(/\b[A-Z]\b/g, '${number}')}\`` : quoted(word)
}

function quoted(word: string): string {
  return `'${word}'`
}

function member(row: Behaviour): string {
  const type = row.options === undefined ? quoted(String(row.default)) : typeOf(row.options)
  return `/** ${row.question} */\nreadonly ${quoted(row.id)}: ${type}`
}

function render(rows: readonly Behaviour[]): string {
  return [
    '// Generated from spec/behaviours.yaml by scripts/generate-behaviour-settings.ts. Do not edit: change the behaviour catalogue and run',
    '// node scripts/generate-behaviour-settings.ts',
    '',
    '/** The setting of every behaviour, by id. */',
    `export interface BehaviourSettings {\n${rows.map(member).join('\n')}\n}`,
    '',
    '/** The id of a behaviour. */',
    'export type BehaviourId = keyof BehaviourSettings',
  ].join('\n')
}

const { behaviours: rows } = readCatalog(readPackaged('spec/behaviours.yaml').value)
const text = await format(render(rows), { ...(await resolveConfig(target)), parser: 'typescript' })

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error('types/behaviour-settings.d.ts is stale. Run: node scripts/generate-behaviour-settings.ts')
  process.exitCode = 1
}
