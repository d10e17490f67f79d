/** A report in the XML of JUnit, of test cases that `element` wrote. */
export function junitReport(
  name: string,
  { failures, skipped }: { readonly failures: number; readonly skipped: number },
  cases: readonly string[],
): string {
  const counts = { tests: cases.length, failures, errors: 0, skipped }
  const suite = element('testsuite', { name, ...counts }, cases)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'standin', ...counts }, [suite])}\n`
}

/** An element of XML. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inner: readonly string[] = [],
): string {
  const listed = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
  const start = `<${name}${listed.join('')}`
  return inner.length === 0 ? `${start}/>` : `${start}>\n${inner.join('\n')}\n</${name}>`
}

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
