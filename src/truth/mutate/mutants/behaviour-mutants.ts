import { isDeepStrictEqual } from 'node:util'
import type { Behaviours } from '../../../behaviours/behaviours.ts'
import type { Behaviour } from '../../../behaviours/catalog.ts'
import { hasNumber, type Options, partsOf } from '../../../behaviours/options.ts'
import { isObject, stringifyJson } from '../../../base/formats/json.ts'
import type { Mutant } from './mutant.ts'

/**
 * The other settings of the behaviours that tests met: what the service may do as well, for all that its interface says.
 *
 * @param met ids of behaviours
 * @param initial ids of behaviours that only an initial state depends on: no sandbox can change them
 */
export function behaviourMutants(
  { catalog, settings }: Behaviours,
  met: ReadonlySet<string>,
  initial: ReadonlySet<string> = new Set(),
): Mutant[] {
  const held: Readonly<Record<string, unknown>> = { ...settings }
  return catalog.behaviours
    .filter(({ id, basis }) => met.has(id) && !initial.has(id) && !SETTLED.has(basis))
    .flatMap((behaviour) => mutantsOf(behaviour, held[behaviour.id]))
}

/** What the interface says, and bounds that protect the process: a service that differs is not plausible. */
const SETTLED: ReadonlySet<Behaviour['basis']> = new Set(['documented', 'protects'])

function mutantsOf({ id, question, answer, options, default: usual }: Behaviour, setting: unknown): Mutant[] {
  if (options === undefined) return []
  const values = valuesOf(options, setting).filter((value) => !isDeepStrictEqual(value, setting))
  return values.map((value) => ({
    id: `${id}=${wordsOf(value)}`,
    kind: 'undocumented',
    change: question,
    usual: isDeepStrictEqual(setting, usual) ? answer : wordsOf(setting),
    overrides: { [id]: value },
  }))
}

function valuesOf(options: Options, setting: unknown): readonly unknown[] {
  if ('choice' in options)
    return options.choice.filter(isOfService).map((word) => (hasNumber(word) ? withNumbers(word) : word))
  if ('number' in options) return [FEW].filter((few) => few >= options.number.min && few <= options.number.max)
  if ('list' in options) return shorterLists(setting)
  if ('value' in options) return options.value === 'boolean' ? [setting !== true] : []
  const base = isObject(setting) ? setting : {}
  return Object.entries(partsOf(options)).flatMap(([name, part]) =>
    valuesOf(part, base[name]).map((value) => ({ ...base, [name]: value })),
  )
}

/** `listed` takes what fixtures list, which a service does not know of: without a list it refuses everything. */
function isOfService(word: string): boolean {
  return !word.startsWith('list')
}

const FEW = 2

/** Numbers as services have them: `every-2`, `10 per 1`, `null for 60`, `clamp:10000`. */
function withNumbers(word: string): string {
  return word
    .replace('N per S', '10 per 1')
    .replace(/\bK\b/, String(FEW))
    .replace(/\b[PS]\b/, '60')
    .replace(/\bN\b/, '10000')
}

/** Without each of the items: a service may support fewer. */
function shorterLists(setting: unknown): readonly unknown[] {
  const items: readonly unknown[] = Array.isArray(setting) ? setting : []
  return items.length < 2 ? [] : items.map((item) => items.filter((one) => one !== item))
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : stringifyJson(value)
}
