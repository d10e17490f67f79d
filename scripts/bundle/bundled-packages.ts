import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package of which the build takes modules. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** An SPDX identifier. */
  readonly licence: string
  /** The text of the licence, and of its NOTICE where it has one. */
  readonly text: string
  /** The SHA-512 of its tarball in hex, as package-lock.json has it; undefined for none. */
  readonly sha512: string | undefined
}

/** Licences that may be bundled: all of them allow that, and ask for no more than their text. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
])

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  /** How packages said it before npm 3. */
  readonly licenses?: readonly { readonly type: string }[]
  readonly author?: string | { readonly name: string }
}

/**
 * The packages that modules belong to, by name.
 *
 * @param ids paths of modules
 * @throws Error for a package whose licence is unknown, not allowed, or without a text
 */
export function readBundled(ids: readonly string[], root: string): readonly BundledPackage[] {
  const folders = new Set(ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(id)?.[0] ?? []))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string } | undefined>>
  }
  const read = [...folders].sort().map((folder): [string, BundledPackage] => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const { name, version } = manifest
    const licence = manifest.license ?? manifest.licenses?.[0]?.type
    if (licence === undefined || !ALLOWED.has(licence))
      throw new Error(
        `${name} ${version} is bundled, and its licence (${licence ?? 'none'}) is not one of ${[...ALLOWED].join(', ')}`,
      )
    const integrity = packages[folder.slice(folder.indexOf('node_modules/'))]?.integrity
    const text = textOf(folder, manifest, licence)
    return [`${name}@${version}`, { name, version, licence, text, sha512: hexOf(integrity) }]
  })
  // Other packages may have copies of their own.
  return [...new Map(read).values()]
}

function textOf(folder: string, manifest: Manifest, licence: string): string {
  const files = readdirSync(folder)
  const read = (name: RegExp) => {
    const file = files.find((entry) => name.test(entry))
    return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8').trim()
  }
  const notice = read(/^notice(\.|$)/i)
  const text = read(/^(?:licen[cs]e|copying)(?:[.-]|$)/i) ?? standardText(manifest, licence)
  return notice === undefined ? text : `${text}\n\nNOTICE\n\n${notice}`
}

/** For a package that names its licence and has no file of it. */
function standardText({ name, version, author }: Manifest, licence: string): string {
  const who = typeof author === 'object' ? author.name : (author?.replace(/\s*[<(].*$/, '') ?? `the authors of ${name}`)
  try {
    const text = readFileSync(join(import.meta.dirname, 'licences', `${licence}.txt`), 'utf8').trim()
    return licence === 'Unlicense' ? text : `Copyright (c) ${who}\n\n${text}`
  } catch {
    throw new Error(
      `${name} ${version} is bundled and has no text of its licence: add scripts/bundle/licences/${licence}.txt`,
    )
  }
}

/** npm writes `sha512-` and Base64. */
function hexOf(integrity: string | undefined): string | undefined {
  const [, base64] = /^sha512-(\S+)/.exec(integrity ?? '') ?? []
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('hex')
}

/** All licences in one text, for the package: each text once, after the packages that it is of and what their copies say beside it. */
export function licencesOf(packages: readonly BundledPackage[]): string {
  const texts = new Map<string, { readonly text: string; readonly owners: string[] }>()
  for (const { name, version, licence, text } of packages) {
    const [notices, terms] = splitLicence(text)
    const key = terms.replaceAll(/\s+/g, ' ').trim()
    const known = texts.get(key) ?? { text: terms, owners: [] }
    known.owners.push([`${name} ${version} (${licence})`, ...notices].join('\n'))
    texts.set(key, known)
  }
  return [...texts.values()]
    .map(({ text, owners }) => `${owners.join('\n\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Titles and copyright notices, which stand before the terms; and the terms. */
function splitLicence(text: string): [notices: readonly string[], terms: string] {
  const lines = text.split('\n')
  const first = lines.findIndex(
    (line) => !/^\W*$|^\W*(?:copyright|the \w+ licen[cs]e|\w+ licen[cs]e)\b|^\W*all rights reserved/i.test(line),
  )
  const notices = lines.slice(0, first).filter((line) => /\w/.test(line))
  return [notices.map((line) => line.trim()), lines.slice(first).join('\n').trim()]
}

/** A bill of materials of what is bundled (CycloneDX 1.6). Without dates and serial numbers, so that equal builds have equal bytes. */
export function billOf(packages: readonly BundledPackage[], version: string): object {
  const purlOf = (name: string, of: string) => `pkg:npm/${name.replace('@', '%40')}@${of}`
  const own = purlOf('standin', version)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        'bom-ref': own,
        type: 'application',
        name: 'standin',
        version,
        purl: own,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: packages.map(({ name, version: of, licence, sha512 }) => {
      const [group, rest] = name.startsWith('@') ? name.split('/') : [undefined, name]
      return {
        'bom-ref': purlOf(name, of),
        type: 'library',
        ...(group !== undefined && { group }),
        name: rest,
        version: of,
        purl: purlOf(name, of),
        scope: 'required',
        licenses: [{ license: { id: licence } }],
        ...(sha512 !== undefined && { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
      }
    }),
    dependencies: [{ ref: own, dependsOn: packages.map(({ name, version: of }) => purlOf(name, of)) }],
    // Scanners shall not take it for a package without dependencies: its file has them in it, without their versions.
    compositions: packages
      .filter(({ name }) => name === 'swagger-ui-dist')
      .map(({ name, version: of }) => ({ aggregate: 'incomplete', dependencies: [purlOf(name, of)] })),
  }
}
