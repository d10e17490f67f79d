import type { ScalarSlot, Slot } from './generate-value.ts'
import { chanceKey, draw, randomUuid } from '../engine/random.ts'
import { isObject } from '../base/formats/json.ts'

/** Values like a given one, each by its number. */
export type Variation = (number: number) => unknown

/** Drawing a text takes 25 µs, so after this many a place draws from those that it has. */
const POOL = 64

/** What a value is varied by. */
interface Variety {
  /** By pointer. */
  readonly slots: ReadonlyMap<string, Slot>
  /** The key of choices: equal for values whose choices alternate together. */
  readonly key: number
  /** Tells values of one key apart. */
  readonly turn: number
}

/** The value with what its slots hold drawn again for each number. What comes of it may break the schema. */
export function variationOf(value: unknown, { slots, key, turn }: Variety): Variation {
  const vary = (held: unknown, pointer: string): Variation => {
    if (Array.isArray(held)) {
      const elements = held.map((one, at) => vary(one, `${pointer}/${at}`))
      return (number) => elements.map((element) => element(number))
    }
    if (isObject(held)) {
      const members = Object.entries(held).map(([name, one]) => [name, vary(one, `${pointer}/${name}`)] as const)
      return (number) => Object.fromEntries(members.map(([name, member]) => [name, member(number)]))
    }
    const slot = slots.get(pointer)
    if (slot === undefined) return () => held
    return 'choices' in slot
      ? rotate(slot.choices, chanceKey(key, pointer))
      : columnOf(slot, chanceKey(key, `${turn}${pointer}`))
  }
  return vary(value, '')
}

function columnOf(slot: ScalarSlot, key: number): Variation {
  if (slot.isExact) return (number) => slot.draw(chanceKey(key, String(number)))
  if (slot.schema.format === 'uuid') {
    const word = (part: number, number: number) => draw(chanceKey(key, String(part)), number)
    return (number) => randomUuid(word(0, number), word(1, number), word(2, number), word(3, number))
  }
  const pool: unknown[] = []
  const pooled = (at: number) => (pool[at] ??= slot.draw(chanceKey(key, String(at))))
  return (number) => {
    if (number < POOL) return pooled(number)
    const drawn = draw(key, number)
    const value = pooled(drawn % POOL)
    return typeof value === 'string' && slot.schema.format === undefined && CODE.test(value)
      ? recode(value, drawn)
      : value
  }
}

/** Each of n values once in every n numbers, in an order of its own for each key. */
function rotate(choices: readonly unknown[], key: number): Variation {
  const { length } = choices
  return (number) => choices[(number + Math.floor(number / length) * ((key % 7) + 1) + (key % length)) % length]
}

/** Texts such as keys, hashes and numbers of articles: they rarely repeat. */
const CODE = /^(?=.*\d)[\w-]{6,}$/

/** A code with other digits and letters in the same places; hexadecimal digits stay such. */
function recode(code: string, chance: number): string {
  let at = 0
  return code.replaceAll(/[0-9a-fA-F]/g, (sign) => {
    const drawn = draw(chance, at++)
    if (sign <= '9') return String(drawn % 10)
    return String.fromCharCode((sign < 'a' ? 65 : 97) + (drawn % 6))
  })
}
