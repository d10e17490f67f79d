import { parseInstant } from '../../base/formats/instant.ts'
import { kindOf } from '../recordings/differences/values.ts'

/** The name of the id of an object itself. */
export const OWN_ID = /^_?(?:id|uuid|guid|uid)$/i

/** What a service makes anew each time. */
export function isVolatile(value: unknown, name: string): boolean {
  if (typeof value !== 'string') return typeof value === 'number' && kindOf(name, value) === 'instant'
  return UUID.test(value) || RANDOM.test(value) || parseInstant(value) !== undefined || value.includes('{$')
}

/** Also in a text. */
const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i
const RANDOM =
  /^(?=.*\d)(?=.*[a-z])[0-9a-z_+/=-]{24,}$|(?<![0-9a-f])(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{20,}(?![0-9a-f])/i

/** One of the words that programs use: `ACTIVE`, `application/json`. */
export function isWord(text: string): boolean {
  return /^[\w./:-]{0,40}$/.test(text) && !/\d{3}/.test(text)
}

/** What frameworks write for nothing. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
