/** The behaviour catalogue: every question that the interface leaves open, with the default and the other settings. This file checks it. */
import { isObject } from '../formats/json.ts'
import { isDeepStrictEqual } from 'node:util'
import { nearest } from '../errors/wording.ts'
import { StartupError } from '../errors/problem.ts'
import { readAnswer } from './read-setting.ts'
import { switchComplaint, type Switch } from './options.ts'

const bases = ['documented', 'observed', 'standard', 'assumed', 'protects'] as const
/** What a default rests on. */
type Basis = (typeof bases)[number]

/** One open question and its answer. */
export interface Behaviour {
  readonly id: string
  readonly section: string
  readonly question: string
  /** The default, as a full rule in words. */
  readonly answer: string
  /** The same as a value that the options allow; without options, a word. */
  readonly default: unknown
  /** Absent when there is no other setting. */
  readonly options?: Switch
  /** What the other options do, where their names do not say it. */
  readonly alternatives?: string
  readonly basis: Basis
  readonly reason: string
  /** The request that would settle the question against a live service. */
  readonly probe?: string
  /** By profile, its setting where it differs from the default. */
  readonly profiles: Readonly<Record<string, unknown>>
}

export interface BehaviourCatalog {
  /** Name and meaning of each profile; one of them is `default`. */
  readonly profiles: Readonly<Record<string, string>>
  /** In the order of the document, section after section. */
  readonly behaviours: readonly Behaviour[]
}

const required = ['id', 'question', 'answer', 'default', 'basis', 'reason']
const optional = ['options', 'alternatives', 'probe', 'profiles']
const texts = ['id', 'question', 'answer', 'alternatives', 'reason', 'probe']

/**
 * Checks a parsed `spec/behaviours.yaml` and gives it its shape.
 *
 * @param file the name that complaints give the document
 * @throws StartupError with everything that is wrong
 */
export function readCatalog(document: unknown, file = 'spec/behaviours.yaml'): BehaviourCatalog {
  const shape = isObject(document) ? document : {}
  const { profiles, sections } = shape
  if (!isObject(profiles) || !('default' in profiles) || !Object.values(profiles).every(isText))
    throw new StartupError([`${file}: \`profiles\` must name each profile and say what it is; one is \`default\`.`])
  if (!Array.isArray(sections)) throw new StartupError([`${file}: \`sections\` must be a list.`])

  const complaints: string[] = []
  const rows: Behaviour[] = []
  const ids = new Set<string>()
  for (const { section, at, written } of sections.flatMap(writtenBehaviours)) {
    const id = isObject(written) && isText(written.id) ? written.id : undefined
    const checked = checkBehaviour(section, written, Object.keys(profiles))
    if (id !== undefined && ids.has(id)) checked.complaints.push('the id is taken. Give each behaviour its own.')
    ids.add(id ?? '')
    complaints.push(...checked.complaints.map((what) => `${file}#${id ?? `${section}, behaviour ${at}`}: ${what}`))
    rows.push(checked.row)
  }
  if (complaints.length > 0) throw new StartupError(complaints)
  return { profiles: profiles as BehaviourCatalog['profiles'], behaviours: rows }
}

interface WrittenBehaviour {
  readonly section: string
  /** Counted from 1, to be named where there is no id. */
  readonly at: number
  readonly written: unknown
}

/** A section without title or behaviours yields one empty behaviour, so that it is reported. */
function writtenBehaviours(section: unknown, index: number): WrittenBehaviour[] {
  const title = isObject(section) && isText(section.title) ? section.title : `section ${index + 1}`
  const rows: unknown[] = isObject(section) && Array.isArray(section.behaviours) ? section.behaviours : [undefined]
  return rows.map((written, row) => ({ section: title, at: row + 1, written }))
}

function checkBehaviour(
  section: string,
  written: unknown,
  profiles: readonly string[],
): { row: Behaviour; complaints: string[] } {
  const fields = isObject(written) ? written : {}
  const complaints = fieldComplaints(fields)
  const form = fields.options
  const faulty = form === undefined ? undefined : switchComplaint(form)
  if (faulty !== undefined) complaints.push(`${faulty}.`)

  const read = (value: unknown, what: string): unknown => {
    if (faulty !== undefined) return value
    const reading = form === undefined ? readWord(value) : readAnswer(form as Switch, value)
    if ('answer' in reading) return reading.answer
    complaints.push(`${what}: ${reading.complaint}`)
    return value
  }

  const byDefault = 'default' in fields ? read(fields.default, 'the default') : undefined
  const byProfile = Object.entries(isObject(fields.profiles) ? fields.profiles : {}).map(([name, value]) => {
    const answer = read(value, `profile ${name}`)
    if (name === 'default' || !profiles.includes(name))
      complaints.push(`there is no profile \`${name}\` to answer for.`)
    if (isDeepStrictEqual(answer, byDefault)) complaints.push(`profile ${name} repeats the default. Remove it.`)
    return [name, answer] as const
  })
  const row = {
    ...fields,
    section,
    default: byDefault,
    profiles: Object.fromEntries(byProfile),
  } as unknown as Behaviour
  return { row, complaints }
}

function fieldComplaints(fields: Readonly<Record<string, unknown>>): string[] {
  const known = [...required, ...optional]
  const complaints = required.filter((key) => !(key in fields)).map((key) => `\`${key}\` is missing.`)
  for (const key of Object.keys(fields).filter((key) => !known.includes(key)))
    complaints.push(`there is no field \`${key}\`. Did you mean \`${nearest(key, known) ?? known.join('`, `')}\`?`)
  for (const key of texts.filter((key) => key in fields && !isText(fields[key])))
    complaints.push(`\`${key}\` must be text.`)
  if (isText(fields.id) && !/^[a-z0-9-]+(\.[a-z0-9-]+)?$/.test(fields.id))
    complaints.push('an id is one or two words of small letters, digits and `-`, joined by a dot.')
  if ('basis' in fields && !bases.some((basis) => basis === fields.basis))
    complaints.push(`\`basis\` must be one of ${bases.join(', ')}.`)
  if ('profiles' in fields && !isObject(fields.profiles))
    complaints.push('`profiles` must be answers by the name of a profile.')
  return complaints
}

function readWord(value: unknown): ReturnType<typeof readAnswer> {
  return isText(value) ? { answer: value } : { complaint: 'a behaviour without options has a word here.' }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
