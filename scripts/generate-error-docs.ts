// Writes docs/errors.md from the catalogue in src/base/errors/ and spec/errors.yaml. With --check it writes nothing and fails when the file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { type DescribedError, errorCatalog, errorsBySubject } from '../src/base/errors/catalog.ts'

const target = join(import.meta.dirname, '..', 'docs', 'errors.md')

function row({ id, status, otherStatuses = [], title, cause, remedy }: DescribedError): string {
  return `| \`${id}\` | ${[status, ...otherStatuses].join(', ')} | ${title} | ${cause} | ${remedy} |`
}

function section([subject, entries]: readonly [string, readonly DescribedError[]]): string {
  const rows = [...entries].sort((a, b) => a.id.localeCompare(b.id)).map(row)
  return [`## ${subject}`, '', '| id | status | title | cause | remedy |', '|---|---|---|---|---|', ...rows].join('\n')
}

const subjects = errorsBySubject()
const own = new Set([...subjects.values()].flat().map(({ id }) => id))
const others = [...errorCatalog().values()].filter(({ id }) => !own.has(id))

const text = await format(
  [
    '# Errors',
    '',
    '<!-- Generated from src/base/errors/ and spec/errors.yaml by scripts/generate-error-docs.ts. Do not edit. -->',
    '',
    'Standin refuses a request with a problem document (RFC 9457, `application/problem+json`). Its `type` is `/problems/` and the id of the',
    'error, `detail` describes this occurrence, and `errors` lists each place that is wrong: where it is, what was expected, what was received',
    'and which line of the contract or which behaviour says so. The behaviour `error.body` can give errors of emulated operations another shape,',
    'and a contract of your own may document other statuses; the control API always uses problem documents.',
    '',
    ...[...subjects].flatMap((one) => [section(one), '']),
    '## Any other status',
    '',
    'A fault or the `Prefer` header can ask for any error status. The id and the title of such a response come from the reason phrase:',
    '',
    others.map(({ id, status }) => `\`${id}\` (${status})`).join(', ') + '.',
    '',
    'A handler of your own chooses its own status and title with `problem(status, title, detail)`; the id is the title in lower case with hyphens.',
  ].join('\n'),
  { ...(await resolveConfig(target)), parser: 'markdown' },
)

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error('docs/errors.md is stale. Run: node scripts/generate-error-docs.ts')
  process.exitCode = 1
}
