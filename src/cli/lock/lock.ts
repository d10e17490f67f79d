import { dirname, resolve } from 'node:path'
import { EXIT } from '../exit-codes.ts'
import type { Contract } from '../../contract/contract.ts'
import { loadContract } from '../../contract/load/load.ts'
import {
  digestOf,
  findLocked,
  isUrl,
  LOCK,
  LOCK_INDEX,
  lockedPath,
  type ContractLock,
  readLock,
} from '../../contract/load/contract-lock.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'
import { stringifySorted } from '../../base/formats/json.ts'
import { createDocument, makeFolder, readSourceFile, removeFile, writeText } from '../../base/formats/source-file.ts'
import { compareContracts } from '../../truth/diff/compare-contracts.ts'
import { REPORTS } from '../../truth/diff/report.ts'
import { fetchDocuments } from './fetch-documents.ts'

export interface LockFlags {
  readonly header?: readonly string[]
  readonly check?: boolean
}

type FetchedTexts = ReadonlyMap<string, string>

/** `standin lock`: keeps documents of the web, or says with `--check` whether they are still the same. */
export async function lock(contract: string | undefined, { header = [], check = false }: LockFlags): Promise<void> {
  const before = readLock()
  const contracts = contract === undefined ? Object.keys(before) : [addressOf(contract)]
  if (contracts.length === 0)
    throw new StartupError([
      `Nothing is locked in ${LOCK}. Name a contract: standin lock https://api.example.com/openapi.yaml`,
    ])
  const headers = readHeaders(header)
  const hosts = new Set(contracts.map((one) => (isUrl(one) ? new URL(one).origin : one)))
  if (header.length > 0 && hosts.size > 1)
    throw new StartupError([`--header: It is for one of ${[...hosts].toSorted().join(', ')}. Name the contract too.`])
  for (const one of contracts) {
    if (check && before[one] === undefined)
      throw new StartupError([`${one}: It is not in ${LOCK}. Run standin lock ${one}`])
    const progress = (url: string, text: string) =>
      void process.stderr.write(`standin: fetched ${url} (${Math.ceil(text.length / 1000)} kB)\n`)
    const documents = await fetchDocuments(one, { headers, progress })
    if (documents.size === 0)
      throw new StartupError([`${one}: It is a file that refers to no URL, so it needs no lock.`])
    if (check) compare(one, before[one] ?? {}, documents)
    else keep(one, documents)
  }
}

/** Without a fragment, which names a part of a document. @throws StartupError for an address with a password */
function addressOf(contract: string): string {
  const url = isUrl(contract) ? URL.parse(contract) : null
  if (!url) return contract
  if (url.username !== '' || url.password !== '')
    throw new StartupError([
      `${url.origin}${url.pathname}: Pass user and password as --header "Authorization: Basic …". An address is committed.`,
    ])
  return contract.split('#', 1)[0] ?? contract
}

/** @throws StartupError for what is no header */
function readHeaders(given: readonly string[]): Headers {
  const headers = new Headers()
  for (const one of given) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.+)$/s.exec(one) ?? []
    try {
      headers.append(name.trim(), value.trim())
    } catch {
      throw new StartupError(["--header: Expected a name and a value, such as 'Authorization: Bearer …'."])
    }
  }
  return headers
}

/** The index is written last: until then, the documents before are those that count. */
function keep(contract: string, documents: FetchedTexts): void {
  for (const [url, text] of documents) {
    makeFolder(dirname(lockedPath(url)))
    writeText(lockedPath(url), [text])
  }
  const before = readLock()
  const digests = Object.fromEntries([...documents].map(([url, text]) => [url, digestOf(text)]))
  const after: ContractLock = { ...before, [contract]: digests }
  writeText(LOCK_INDEX, [`${JSON.stringify(JSON.parse(stringifySorted(after)), undefined, 2)}\n`])
  const kept = new Set(Object.values(after).flatMap((held) => Object.keys(held)))
  for (const url of Object.keys(before[contract] ?? {})) if (!kept.has(url)) removeFile(lockedPath(url))
  process.stdout.write(`${LOCK} has ${counted(documents.size, 'document')} of ${contract}. Commit it.\n`)
}

/** Says what the documents of now mean for clients; exits with 2 when one is another. */
function compare(contract: string, locked: ContractLock[string], documents: FetchedTexts): void {
  const isSame =
    Object.keys(locked).length === documents.size &&
    [...documents].every(([url, text]) => locked[url] === digestOf(text))
  if (isSame) {
    process.stdout.write(`${contract} is as it was locked.\n`)
    return
  }
  process.exitCode = EXIT.differs
  const [old, now] = [loadLocked(contract), loadFetched(contract, documents)]
  const changes = compareContracts(old, now)
  process.stdout.write(
    changes.length === 0
      ? `${contract} was changed, and nothing of it concerns clients.\n`
      : REPORTS.text({ old: `${contract} as locked`, now: `${contract} of now`, changes, impact: undefined }),
  )
}

function loadLocked(contract: string): Contract {
  const file = isUrl(contract) ? (findLocked(contract) ?? contract) : contract
  return loadContract(readSourceFile(file), { allowed: [LOCK] })
}

/** The same with the texts of now, as if they were in a lock. */
function loadFetched(contract: string, documents: FetchedTexts): Contract {
  const pathOf = (url: string) => resolve(lockedPath(url))
  const texts = new Map([...documents].map(([url, text]) => [pathOf(url), { url, text }]))
  const read: typeof readSourceFile = (path, naming) => {
    const found = texts.get(resolve(path))
    return found ? createDocument(found.url, found.text) : readSourceFile(path, naming)
  }
  const locked = (url: string) => (documents.has(url) ? lockedPath(url) : undefined)
  const root = isUrl(contract) ? { ...read(pathOf(contract)), file: lockedPath(contract) } : read(contract)
  return loadContract(root, { allowed: [LOCK], locked, read })
}
