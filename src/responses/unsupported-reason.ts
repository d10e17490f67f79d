import { isWrittenAsJson } from './content.ts'
import { statusesOf } from './generator.ts'
import { whyImpossible } from '../values/impossible.ts'
import type { Operation } from '../contract/contract.ts'
import type { Lookup } from '../contract/schemas/lookup.ts'
import type { Side } from '../contract/schemas/pieces.ts'
import { encodePointer, isObject } from '../formats/json.ts'

/** Why an operation cannot be answered, or cannot be asked, as far as the document tells; undefined when it can. */
export function unsupportedReason(operation: Operation, lookup: Lookup): string | undefined {
  const codes = statusesOf(operation, lookup)
  if (codes.length === 0) return 'the contract documents no response of it'
  if (codes.every((code) => code.startsWith('1') && code !== '101'))
    return 'the contract documents no final response of it'
  return whyNoBody(operation, lookup) ?? whyNoAnswer(operation, lookup, codes)
}

/** Every request would be refused, and none could be mended. */
function whyNoBody({ pointer }: Operation, lookup: Lookup): string | undefined {
  const at = `${pointer}/requestBody`
  const body = lookup.at(at)
  const why = isObject(body) && body.required === true ? whyNoContent(lookup, at, 'request') : undefined
  return why && `its body is required, and no value fits the schema of that: ${why}`
}

/** The answers that are given when none is asked for: the successes, else whatever is documented. */
function whyNoAnswer({ pointer, method }: Operation, lookup: Lookup, codes: readonly string[]): string | undefined {
  if (method === 'HEAD') return undefined
  const successes = codes.filter((code) => code.startsWith('2'))
  const reasons = (successes.length > 0 ? successes : codes).map((code) => {
    const why = whyNoContent(lookup, `${pointer}/responses/${code}`, 'response')
    return why && `no value fits the schema of its answer ${code}: ${why}`
  })
  return reasons.includes(undefined) ? undefined : reasons[0]
}

/** What is no JSON, or has an example, needs no value that holds to a schema. */
function whyNoContent(lookup: Lookup, pointer: string, side: Side): string | undefined {
  const holder = lookup.at(pointer)
  const content = isObject(holder) && isObject(holder.content) ? holder.content : {}
  const reasons = Object.keys(content).map((type) => {
    const media = lookup.follow(content[type])
    if (!isWrittenAsJson(type) || !isObject(media) || media.example !== undefined || media.examples !== undefined)
      return undefined
    return whyImpossible(lookup, lookup.raw(`${pointer}/content/${encodePointer(type)}/schema`), side)
  })
  return reasons.includes(undefined) ? undefined : reasons[0]
}
