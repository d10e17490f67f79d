/** Checks the form of `spec/behaviours.yaml`, so that the program can rely on it. */
import { isDeepStrictEqual } from 'node:util'
import { StartupError } from '../src/base/errors/problem.ts'
import { nearest } from '../src/base/errors/wording.ts'
import { isObject } from '../src/base/formats/json.ts'
import { type BehaviourCatalog, readCatalog } from '../src/behaviours/catalog.ts'
import { type Options, readSetting } from '../src/behaviours/options.ts'

const BASES = ['documented', 'observed', 'standard', 'assumed', 'protects']
const VALUE_KINDS = ['boolean', 'time-zone', 'recipients', 'text']
const REQUIRED = ['id', 'question', 'answer', 'default', 'basis', 'reason']
const OPTIONAL = ['options', 'alternatives', 'probe', 'unsettled', 'profiles']
const TEXTS = ['id', 'question', 'answer', 'alternatives', 'reason', 'probe', 'unsettled']

/**
 * @param file the name of the document in messages
 * @throws StartupError with everything that is wrong
 */
export function checkCatalog(document: unknown, file = 'spec/behaviours.yaml'): BehaviourCatalog {
  const { profiles, sections } = isObject(document) ? document : {}
  if (!isObject(profiles) || !('default' in profiles) || !Object.values(profiles).every(isText))
    throw new StartupError([`${file}: \`profiles\` must name each profile and say what it is; one is \`default\`.`])
  if (!Array.isArray(sections)) throw new StartupError([`${file}: \`sections\` must be a list.`])
  const complaints: string[] = []
  const ids = new Set<string>()
  for (const { section, at, written } of sections.flatMap(writtenBehaviours)) {
    const id = isObject(written) && isText(written.id) ? written.id : undefined
    const found = checkBehaviour(isObject(written) ? written : {}, Object.keys(profiles))
    if (id !== undefined && ids.has(id)) found.push('the id is taken. Give each behaviour its own.')
    ids.add(id ?? '')
    complaints.push(...found.map((what) => `${file}#${id ?? `${section}, behaviour ${at}`}: ${what}`))
  }
  if (complaints.length > 0) throw new StartupError(complaints)
  return readCatalog(document)
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
  const all: unknown[] = isObject(section) && Array.isArray(section.behaviours) ? section.behaviours : [undefined]
  return all.map((written, at) => ({ section: title, at: at + 1, written }))
}

function checkBehaviour(fields: Readonly<Record<string, unknown>>, profiles: readonly string[]): string[] {
  const complaints = fieldComplaints(fields)
  const { options, default: usual } = fields
  const faulty = options === undefined ? undefined : optionsComplaint(options)
  if (faulty !== undefined) return [...complaints, `${faulty}.`]
  const check = (value: unknown, what: string): void => {
    const complaint = settingComplaint(options as Options | undefined, value)
    if (complaint !== undefined) complaints.push(`${what}: ${complaint}`)
  }
  if ('default' in fields) check(usual, 'the default')
  for (const [name, value] of Object.entries(isObject(fields.profiles) ? fields.profiles : {})) {
    check(value, `profile ${name}`)
    if (name === 'default' || !profiles.includes(name)) complaints.push(`there is no profile \`${name}\`.`)
    if (isDeepStrictEqual(value, usual)) complaints.push(`profile ${name} repeats the default. Remove it.`)
  }
  return complaints
}

function settingComplaint(options: Options | undefined, value: unknown): string | undefined {
  if (options === undefined) return isText(value) ? undefined : 'a behaviour without options has a word here.'
  const reading = readSetting(options, value)
  if ('complaint' in reading) return reading.complaint
  return isDeepStrictEqual(reading.setting, value) ? undefined : `write it as ${JSON.stringify(reading.setting)}.`
}

function fieldComplaints(fields: Readonly<Record<string, unknown>>): string[] {
  const known = [...REQUIRED, ...OPTIONAL]
  const complaints = REQUIRED.filter((key) => !(key in fields)).map((key) => `\`${key}\` is missing.`)
  for (const key of Object.keys(fields).filter((key) => !known.includes(key)))
    complaints.push(`there is no field \`${key}\`. Did you mean \`${nearest(key, known) ?? known.join('`, `')}\`?`)
  for (const key of TEXTS.filter((key) => key in fields && !isText(fields[key])))
    complaints.push(`\`${key}\` must be text.`)
  if (isText(fields.id) && !/^[a-z0-9-]+(\.[a-z0-9-]+)?$/.test(fields.id))
    complaints.push('an id is one or two words of small letters, digits and `-`, joined by a dot.')
  if ('basis' in fields && !BASES.some((basis) => basis === fields.basis))
    complaints.push(`\`basis\` must be one of ${BASES.join(', ')}.`)
  if ('profiles' in fields && !isObject(fields.profiles))
    complaints.push('`profiles` must be settings by the name of a profile.')
  return complaints
}

function optionsComplaint(written: unknown): string | undefined {
  const allowed = `options are exactly one of ${Object.keys(CHECKS).join(', ')}`
  if (!isObject(written)) return allowed
  const [form, ...more] = Object.keys(written).filter((key) => key !== 'orObjectWith')
  const check = form === undefined ? undefined : CHECKS[form]
  if (form === undefined || check === undefined || more.length > 0) return allowed
  if ('orObjectWith' in written && (form !== 'choice' || typeof written.orObjectWith !== 'string'))
    return '`orObjectWith` is the name of a key, beside a choice'
  return check(written[form])
}

const CHECKS: Readonly<Record<string, (body: unknown) => string | undefined>> = {
  choice: (body) =>
    areWords(body) && body.length > 1 && body.every((word) => /^[\w:-]+( [\w:-]+)*$/.test(word))
      ? undefined
      : 'a choice is a list of two or more different words, made of letters, digits, `:`, `-` and single spaces',
  number: (body) => (isRange(body) ? undefined : 'a number has whole `min` and `max`, and min is not above max'),
  numbers: (body) =>
    isObject(body) && Object.values(body).every(isRange)
      ? undefined
      : 'numbers are names with a `min` and a `max` each',
  list: (body) =>
    isObject(body) && areWords(body.of) && body.of.length > 1
      ? undefined
      : 'a list has two or more known items under `of`, each once',
  parts: (body) =>
    isObject(body)
      ? Object.values(body)
          .map(optionsComplaint)
          .find((complaint) => complaint !== undefined)
      : 'parts are names with options each',
  value: (body) =>
    VALUE_KINDS.some((kind) => kind === body) ? undefined : `a value is one of ${VALUE_KINDS.join(', ')}`,
}

function areWords(body: unknown): body is string[] {
  const areTexts = Array.isArray(body) && body.every((word) => typeof word === 'string' && word !== '')
  return areTexts && body.length > 0 && new Set(body).size === body.length
}

function isRange(body: unknown): boolean {
  if (!isObject(body)) return false
  const { min, max } = body
  return Number.isSafeInteger(min) && Number.isSafeInteger(max) && Number(min) <= Number(max)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
