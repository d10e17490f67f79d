import type { Violation } from '../base/errors/problem.ts'
import { counted } from '../base/errors/wording.ts'

/** Says what of an exchange breaks the contract. */
export const VIOLATIONS_HEADER = 'x-mock-violations'

/** Characters of a header that servers and clients take for certain. */
const LONGEST_HEADER = 4096

/** `none`, or JSON with as many as fit, in ASCII. */
export function showViolations(violations: readonly Violation[]): string {
  if (violations.length === 0) return 'none'
  const shown: string[] = []
  let length = 0
  for (const { source: _source, ...violation } of violations) {
    const text = ascii(JSON.stringify(violation))
    if ((length += text.length + 1) > LONGEST_HEADER) break
    shown.push(text)
  }
  const left = violations.length - shown.length
  if (left > 0) shown.push(JSON.stringify({ message: `and ${counted(left, 'more violation')}` }))
  return `[${shown.join(',')}]`
}

function ascii(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
