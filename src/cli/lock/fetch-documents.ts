import { dirname, resolve } from 'node:path'
import { isUrl } from '../../contract/load/contract-lock.ts'
import { isObject } from '../../base/formats/json.ts'
import { createDocument, readSourceFile } from '../../base/formats/source-file.ts'
import { decodePercent } from '../../contract/pointer.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'

/** Documents of one contract. */
const MOST = 1000
/** Characters of one. */
const LONGEST = 64_000_000
/** Milliseconds for one. */
const PATIENCE = 30_000

interface FetchOptions {
  /** For the host of the contract, or those that a contract in a file names itself, and for no other. */
  readonly headers: Headers
  readonly progress: (url: string, text: string) => void
}

/**
 * The texts of all documents of the web that a contract consists of, by URL: its own, where it is one, and those that references lead to.
 *
 * @throws StartupError for one that cannot be fetched, with where it is referred to
 */
export async function fetchDocuments(contract: string, options: FetchOptions): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  const known = new Set([contract])
  const waiting = [{ name: contract, from: undefined as string | undefined }]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { name, from } = next
    const text = isUrl(name) ? await fetchText(name, { ...options, from, contract }) : undefined
    if (text !== undefined) texts.set(name, text)
    const { value } = text === undefined ? readSourceFile(name) : createDocument(name, text)
    if (from === undefined && !isOpenApi(value))
      throw new StartupError([`${name}: it is no OpenAPI document, but ${kindOf(value)}. Nothing was kept.`])
    for (const reference of referencesIn(value)) {
      const target = targetOf(reference, name)
      if (known.has(target)) continue
      known.add(target)
      if (known.size > MOST) throw new StartupError([`${contract}: It refers to more than ${MOST} documents.`])
      waiting.push({ name: target, from: name })
    }
  }
  return texts
}

interface FetchedDocument extends FetchOptions {
  /** The document that refers to it. */
  readonly from: string | undefined
  readonly contract: string
}

async function fetchText(url: string, { headers, progress, from, contract }: FetchedDocument): Promise<string> {
  const refuse = (why: string) =>
    new StartupError([`${url}: ${why}.${from === undefined ? '' : ` ${from} refers to it.`}`])
  const isOwn = isUrl(contract) ? new URL(contract).origin === new URL(url).origin : from === contract
  let response: Response
  try {
    response = await fetch(url, {
      headers: isOwn ? headers : {},
      // A key must not go to another host, and references are relative to where a document is.
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    })
  } catch (error) {
    throw refuse(`it cannot be fetched: ${reasonOf(error)}`)
  }
  const { status } = response
  if (status !== 200) {
    const to = response.headers.get('location')
    const leads =
      to === null
        ? ''
        : `, and leads to ${URL.parse(to, url)?.href ?? to}. ${from === undefined ? 'Lock' : 'Refer to'} that`
    const key = status === 401 || status === 403 ? '. Pass a key: --header "Authorization: Bearer …"' : ''
    throw refuse(`the server responded with ${status}${leads}${isOwn ? key : ''}`)
  }
  const text = await readBounded(response)
  if (text === undefined) throw refuse(`it has more than ${LONGEST / 1e6} MB`)
  progress(url, text)
  return text
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `it took more than ${PATIENCE / 1000} s`
  return error.cause instanceof Error ? error.cause.message : error.message
}

/** Undefined for a document that is too long. */
async function readBounded(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > LONGEST) return undefined
  }
  return text + decoder.decode()
}

/** Members that are data, whatever they hold. */
const DATA = new Set(['example', 'default', 'enum', 'const', 'value', 'dataValue'])
/** Members whose own members have names of the author's choice. */
const MAPS = /^(properties|patternProperties|\$defs|definitions|schemas|examples|parameters|responses|headers|paths)$/

function* referencesIn(value: unknown, isMap = false): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  if (!isMap && isObject(value) && typeof value.$ref === 'string') yield value.$ref
  for (const [name, inner] of Object.entries(value))
    if (isMap || !DATA.has(name)) yield* referencesIn(inner, !isMap && MAPS.test(name) && isObject(inner))
}

function isOpenApi(value: unknown): boolean {
  return isObject(value) && (value.openapi !== undefined || value.swagger !== undefined)
}

function kindOf(value: unknown): string {
  return isObject(value) ? 'an object without `openapi`' : shown(value)
}

/** The document that a reference leads to: a URL, or the path of a file. @throws StartupError for what is neither */
function targetOf(reference: string, from: string): string {
  const [file = ''] = reference.split('#', 1)
  if (file === '') return from
  if (!isUrl(file) && !isUrl(from)) return resolve(dirname(from), decodePercent(file))
  const url = URL.parse(file, isUrl(from) ? from : undefined)
  if (!url) throw new StartupError([`${from}: ${shown(file)} is no address of a document.`])
  return url.href
}
