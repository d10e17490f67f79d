import { counted } from '../../base/errors/wording.ts'
import { missedOf, type RenderedReport } from './outline.ts'

/** A report as JUnit's XML: a test for each limit, and one for each operation, which is skipped where it was never requested. */
export function renderJunit({ report, checks }: RenderedReport): string {
  const limits = checks.map(({ name, passed, expected, received }) =>
    passed
      ? element('testcase', { classname: 'coverage', name: `${name}: ${expected}` })
      : element('testcase', { classname: 'coverage', name: `${name}: ${expected}` }, [
          element('failure', { message: `${name}: expected ${expected}, received ${received}` }),
        ]),
  )
  const operations = report.operations.map((operation) => {
    const { operationId: name, requests, covered, total, percent } = operation
    const missed = missedOf(operation).map(([kind, names]) => `not covered: ${kind}: ${names.join(', ')}`)
    const output = [`${covered} of ${total} (${percent} %), ${counted(requests, 'request')}`, ...missed].join('\n')
    return element('testcase', { classname: report.contract, name }, [
      requests === 0
        ? element('skipped', { message: 'never requested' })
        : `<system-out>${escape(output)}</system-out>`,
    ])
  })
  const failures = checks.filter(({ passed }) => !passed).length
  const skipped = report.operations.filter(({ requests }) => requests === 0).length
  const counts = { tests: limits.length + operations.length, failures, errors: 0, skipped }
  const suite = element('testsuite', { name: 'coverage', ...counts }, [...limits, ...operations])
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'standin', ...counts }, [suite])}\n`
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inner: readonly string[] = [],
): string {
  const listed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(String(value))}"`)
  const start = `<${name}${listed.join('')}`
  return inner.length === 0 ? `${start}/>` : `${start}>\n${inner.join('\n')}\n</${name}>`
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
