import type { ExpectationResult, Verification } from './types.ts'

/**
 * What was expected, what came and the nearest misses: of what did not match, or of everything where all did.
 *
 * @param heading what is said first; by default whether what the client sent matched
 */
export function describeVerification({ passed, exchanges, results }: Verification, heading?: string): string {
  const shown = results.filter((result) => result.passed === passed).map(describe)
  const said = heading ?? `What the client sent ${passed ? 'matched' : 'did not match'}`
  const count = exchanges === 1 ? '1 exchange' : `${exchanges} exchanges`
  return `${said}, in ${count}:\n\n${shown.join('\n\n')}\n`
}

/** Cursors are long, and look alike. */
function shortened(summary: string): string {
  return summary.replaceAll(/[\w~.-]{40,}/g, (token) => `${token.slice(0, 12)}…`)
}

function describe({ name, expected, received, misses, more }: ExpectationResult): string {
  const lines = [
    ...(name === null ? [] : [name]),
    `  expected: ${expected}`,
    `  received: ${received}`,
    ...(misses.length === 0 ? [] : ['  nearest:']),
  ]
  for (const { exchanges, summary, differences } of misses) {
    lines.push(`    ${exchanges.map((id) => `#${id}`).join(', ')} ${shortened(summary)}`)
    for (const one of differences) lines.push(`      ${one.what}: expected ${one.expected}; received ${one.received}`)
  }
  if (more > 0) lines.push(`    and ${more} more`)
  return lines.join('\n')
}
