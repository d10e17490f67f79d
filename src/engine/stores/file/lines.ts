import { crc32 } from 'node:zlib'
import { isObject, parseJson, stringifyJson } from '../../../base/formats/json.ts'

/**
 * Lines of JSON, each with a checksum of itself and everything before it, so that a line that was changed, lost, doubled or moved is
 * detected. The checksum is the first member of the line and is computed without itself.
 */
export interface LineWriter {
  /** One line, with its line break. @param value an object that is not empty */
  write(value: object): string
  /** A copy, for lines that may be discarded. */
  copy(): LineWriter
}

const OPENING = '{"sum":"'
const SUM_LENGTH = 8

export function createLineWriter(start = 0): LineWriter {
  let sum = start
  return {
    write(value) {
      const text = stringifyJson(value)
      sum = crc32(text, sum)
      return `${OPENING}${inHex(sum)}",${text.slice(1)}\n`
    },
    copy: () => createLineWriter(sum),
  }
}

export interface LineReader {
  /** The object in a line. @throws Error with what is wrong */
  read(text: string): Readonly<Record<string, unknown>>
  /** A writer that continues after the last line that was read. */
  writer(): LineWriter
}

export function createLineReader(): LineReader {
  let sum = 0
  return {
    read(text) {
      const end = OPENING.length + SUM_LENGTH
      if (!text.startsWith(OPENING) || !text.startsWith('",', end)) throw new Error('it does not begin with its sum')
      const rest = `{${text.slice(end + 2)}`
      const counted = crc32(rest, sum)
      if (inHex(counted) !== text.slice(OPENING.length, end))
        throw new Error('its sum does not fit, so it was changed, or one before it is missing')
      sum = counted
      const value = parseJson(rest)
      if (!isObject(value)) throw new Error('it is not a JSON object')
      return value
    },
    writer: () => createLineWriter(sum),
  }
}

function inHex(sum: number): string {
  return sum.toString(16).padStart(SUM_LENGTH, '0')
}
