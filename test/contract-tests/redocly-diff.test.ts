import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectory, runCommand } from '../support/command.ts'
import { CONTRACT_TOOLS } from '../support/contracts/contract-tools.ts'
import { CASES, documentOf } from '../truth/diff/cases.ts'

const REDOCLY = join(CONTRACT_TOOLS, '@redocly/cli/bin/cli.js')

/** Where `redocly diff`, which shares no code with Standin, calls another change breaking, and why that is known. */
const KNOWN = new Set([
  // A text accepts whatever was sent as an integer.
  'an integer becomes a text, which any value is when it is sent',
  // Redocly reads each part of `allOf` alone.
  'a body is composed of parts that say the same',
  // A member that the service no longer documents may be ignored; Redocly calls that compatible.
  'a member of a body is removed',
  // Neither tool can compare patterns.
  'a pattern changes',
])

test('redocly diff calls the same changes breaking', async () => {
  const { path, remove } = createDirectory({
    'old.json': JSON.stringify(documentOf(CASES.map(({ old }) => old))),
    'new.json': JSON.stringify(documentOf(CASES.map(({ now }) => now))),
  })
  try {
    const command = runCommand(['diff', 'old.json', 'new.json', '--format', 'json'], { cwd: path })
    await command.ended
    const { changes } = JSON.parse(command.stdout()) as Ours
    const uses = changes.filter(({ level }) => level === 'breaking').flatMap((change) => change.uses)
    const ours = new Set(uses.map(({ operation }) => operation.replace('POST ', '')))
    await new Promise((resolve) => {
      const flags = ['--format', 'json', '--output', 'report.json']
      execFile(process.execPath, [REDOCLY, 'diff', 'old.json', 'new.json', ...flags], { cwd: path }, resolve)
    })
    const report = JSON.parse(readFileSync(join(path, 'report.json'), 'utf8')) as Theirs
    const major = report.changes.filter(({ impact }) => impact === 'major')
    const theirs = new Set(
      major.map((change) => /^#\/paths\/~1(\d+)/.exec(change.path)?.[1]).map((at) => `/${at ?? ''}`),
    )
    const differing = CASES.filter((_, at) => ours.has(`/${at}`) !== theirs.has(`/${at}`)).map(({ name }) => name)
    expect(new Set(differing)).toEqual(KNOWN)
  } finally {
    remove()
  }
})

interface Ours {
  readonly changes: readonly { readonly level: string; readonly uses: readonly { readonly operation: string }[] }[]
}

interface Theirs {
  readonly changes: readonly { readonly path: string; readonly impact: string }[]
}
