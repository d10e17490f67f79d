const PICTURE = /!(?=\[)/g
const TAG = /<(?=\/?(?:img|image|picture|source|video|audio|track|svg|iframe|object|embed|input|link)\b)/gi

/**
 * A contract whose descriptions show no pictures, or opening the page would tell their hosts who reads it. A picture in Markdown becomes
 * a link, a tag becomes text. Examples keep theirs: they are shown as they are.
 */
export function withoutPictures<Contract>(contract: Contract): Contract {
  return read(contract) as Contract
}

const DATA = new Set(['example', 'examples', 'default', 'enum', 'const'])

function read(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(read)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => {
      if (DATA.has(name)) return [name, inner]
      if (name !== 'description' || typeof inner !== 'string') return [name, read(inner)]
      return [name, inner.replaceAll(PICTURE, '').replaceAll(TAG, '&lt;')]
    }),
  )
}
