import { isDeepStrictEqual } from 'node:util'
import type { Behaviour } from '../../src/behaviours/catalog.ts'
import { hasNumber, type Options, partsOf } from '../../src/behaviours/options.ts'

/** What stands for the capitals of a word, such as `clamp:N`. */
const NUMBERS: Readonly<Record<string, string>> = { N: '60', K: '3', S: '60', P: '60' }

/** Numbers below the default, so that requests reach them. */
const BELOW: Readonly<Record<string, number>> = {
  'sort.max': 8,
  'filter.max': 10,
  'filter.work': 100_000,
  'http.size': 65_536,
  'http.depth': 8,
  'recipient.max': 10,
  'title.text': 100,
  'create.ids': 1000,
  'collections.page-size': 7,
}

/** Every setting of a behaviour but the default: each word, each part, each list without its first, middle or last item. */
export function otherSettings({ id, options, default: usual }: Behaviour): readonly unknown[] {
  if (options === undefined) return []
  return valuesOf(options, usual, BELOW[id] ?? 3).filter((value) => !isDeepStrictEqual(value, usual))
}

function someOf(items: readonly string[]): readonly string[] {
  return [...new Set([items[0] ?? '', items[Math.floor(items.length / 2)] ?? '', items.at(-1) ?? ''])]
}

function valuesOf(options: Options, usual: unknown, below: number): readonly unknown[] {
  if ('choice' in options)
    return options.choice.map((word) =>
      word === 'N per S'
        ? '40 per 60'
        : hasNumber(word)
          ? word.replaceAll(/\b[NKSP]\b/g, (letter) => NUMBERS[letter] ?? '')
          : word,
    )
  if ('number' in options) return [below]
  if ('list' in options) {
    const held = usual as readonly string[]
    return held.length === options.list.of.length
      ? held.length === 1
        ? []
        : someOf(held).map((item) => held.filter((one) => one !== item))
      : options.list.of.filter((item) => !held.includes(item)).map((item) => [...held, item])
  }
  if ('value' in options)
    return options.value === 'boolean'
      ? [usual !== true]
      : options.value === 'time-zone'
        ? ['Asia/Tokyo']
        : options.value === 'text'
          ? ['ONCE']
          : [[{ type: 'EMAIL', value: 'all@example.com' }]]
  const base = usual as Readonly<Record<string, unknown>>
  return Object.entries(partsOf(options)).flatMap(([name, part]) =>
    valuesOf(part, base[name], below).map((value) => ({ ...base, [name]: value })),
  )
}
