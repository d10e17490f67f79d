import type { Contract } from '../../../contract/contract.ts'
import { memberAt, shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer, isObject, splitPointer, textOrJson } from '../../../base/formats/json.ts'
import { shown } from '../../../base/errors/problem.ts'
import { didYouMean, withArticle } from '../../../base/errors/wording.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import type { Lifecycle, Status, Timed } from './lifecycle.ts'
import { type StatusMember, valuesOf } from './status-words.ts'

/** Reports a problem at a pointer: inside `x-standin`, or in a fixture file. */
export type Complain = (pointer: string, complaint: string) => void

interface TransitionReader {
  readonly document: Contract['document']
  readonly complain: Complain
}

const SHAPE = 'Write the statuses that may follow each: transitions: { status: { placed: [cancelled] } }.'

/** Reads `transitions`: how members of the items of a collection may change. */
export function readTransitions(
  transitions: unknown,
  { schema, noun }: CollectionPlan,
  reader: TransitionReader,
): Lifecycle[] {
  if (!isObject(transitions)) {
    reader.complain('', `it is ${shown(transitions)}. ${SHAPE}`)
    return []
  }
  return Object.entries(transitions).flatMap(([name, rules]) => {
    const at = `/${encodePointer(name)}`
    const pointer = name.startsWith('/') ? name : at
    const member = memberAt(reader.document, schema, splitPointer(pointer))
    if (member === undefined) {
      const names = [...shapeOf(reader.document, schema, 'any').properties.keys()]
      reader.complain(at, `${withArticle(noun)} has no member \`${name}\`.${didYouMean(name, names)}`)
      return []
    }
    if (!isObject(rules)) {
      reader.complain(at, `it is ${shown(rules)}. ${SHAPE}`)
      return []
    }
    return readLifecycle(rules, { pointer, at, values: valuesOf(reader.document, member) }, reader.complain) ?? []
  })
}

/** What its member may be is empty where the schema does not say. */
interface TransitionMember extends StatusMember {
  /** Of what is read. */
  readonly at: string
}

function readLifecycle(
  rules: Readonly<Record<string, unknown>>,
  { pointer, at, values }: TransitionMember,
  complain: Complain,
): Lifecycle | undefined {
  const known = new Map(values.map((value) => [textOrJson(value), value]))
  const check = (status: string, where: string) => {
    if (known.size === 0 || known.has(status)) return
    complain(
      where,
      `${shown(status)} is not one of the statuses ${[...known.keys()].join(', ')}.${didYouMean(status, [...known.keys()])}`,
    )
  }
  const statuses = new Map<string, Status>()
  for (const [status, followers] of Object.entries(rules)) {
    const where = `${at}/${encodePointer(status)}`
    check(status, where)
    const { next, timed } = readFollowers(followers, where, { check, complain })
    statuses.set(status, { value: known.get(status) ?? status, next, timed })
  }
  for (const { next, timed } of [...statuses.values()])
    for (const to of [...next, ...(timed ? [timed.to] : [])])
      if (!statuses.has(to)) statuses.set(to, { value: known.get(to) ?? to, next: [], timed: undefined })
  const circle = findCircle(statuses)
  if (circle) complain(at, `time would change ${circle.join(' to ')}, and so on without end. Remove one \`after\`.`)
  const [first] = statuses.values()
  return first && { pointer, first: first.value, statuses }
}

interface Checks {
  readonly complain: Complain
  check(status: string, where: string): void
}

function readFollowers(followers: unknown, at: string, { check, complain }: Checks): Pick<Status, 'next' | 'timed'> {
  const next: string[] = []
  let timed: Timed | undefined
  if (!Array.isArray(followers)) {
    complain(at, `it is ${shown(followers)}. ${SHAPE}`)
    return { next, timed }
  }
  for (const [index, one] of followers.entries()) {
    const where = `${at}/${index}`
    if (!isObject(one)) {
      const status = String(one)
      check(status, where)
      next.push(status)
      continue
    }
    const { to, after, ...others } = one
    for (const name of Object.keys(others))
      complain(`${where}/${encodePointer(name)}`, `\`${name}\` is not known. It may have \`to\` and \`after\`.`)
    check(String(to), `${where}/to`)
    const milliseconds = readDuration(after)
    if (milliseconds === undefined)
      complain(
        `${where}/after`,
        `it is ${shown(after)}. Write a time as an ISO 8601 duration without years and months, such as PT5M or P1D.`,
      )
    else if (!timed || milliseconds < timed.after) timed = { to: String(to), after: milliseconds }
  }
  return { next, timed }
}

const DURATION =
  /^P(?=.)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,3})?)S)?)?$/
const UNITS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const

/** Milliseconds; undefined for what is not a duration, and for none at all. */
function readDuration(text: unknown): number | undefined {
  const match = typeof text === 'string' ? DURATION.exec(text) : null
  if (!match) return undefined
  const total = UNITS.reduce((sum, unit, at) => sum + Number(match[at + 1] ?? 0) * unit, 0)
  return total > 0 ? total : undefined
}

/** A cycle of statuses that change by time. */
function findCircle(statuses: ReadonlyMap<string, Status>): string[] | undefined {
  for (const start of statuses.keys()) {
    const path = [start]
    for (let at = statuses.get(start)?.timed?.to; at !== undefined; at = statuses.get(at)?.timed?.to) {
      path.push(at)
      if (at === start) return path
      // A cycle that does not contain this status is found from one of its own.
      if (path.length > statuses.size) break
    }
  }
  return undefined
}
