import { encodePointer, isObject, stringifyJson } from '../../../src/base/formats/json.ts'

/** A line of formatted JSON. */
export interface JsonLine {
  readonly text: string
  /** Where the value that begins here lies (RFC 6901); undefined for a closing bracket. */
  readonly pointer: string | undefined
}

/** A value as lines, two spaces deeper at each level. */
export function linesOfJson(value: unknown): readonly JsonLine[] {
  const lines: JsonLine[] = []
  write(lines, value, { pointer: '', indent: '', before: '', after: '' })
  return lines
}

/** The index of the line of a value, or of the nearest around it: a member that is missing has no line of its own. */
export function lineOf(lines: readonly JsonLine[], pointer: string): number {
  for (let around = pointer; ; around = around.slice(0, around.lastIndexOf('/'))) {
    const found = lines.findIndex((line) => line.pointer === around)
    if (found >= 0 || around === '') return Math.max(found, 0)
  }
}

interface Place {
  readonly pointer: string
  readonly indent: string
  /** The name of the member. */
  readonly before: string
  /** The comma that follows. */
  readonly after: string
}

function write(lines: JsonLine[], value: unknown, { pointer, indent, before, after }: Place): void {
  const line = (text: string, isStart = true) => lines.push({ text, pointer: isStart ? pointer : undefined })
  const parts = Array.isArray(value)
    ? value.map((one: unknown, index) => ['', one, `${pointer}/${index}`] as const)
    : isObject(value)
      ? Object.entries(value).map(
          ([name, one]) => [`${JSON.stringify(name)}: `, one, `${pointer}/${encodePointer(name)}`] as const,
        )
      : undefined
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts === undefined) line(`${indent}${before}${stringifyJson(value)}${after}`)
  else if (parts.length === 0) line(`${indent}${before}${open}${close}${after}`)
  else {
    line(`${indent}${before}${open}`)
    for (const [index, [name, one, inner]] of parts.entries())
      write(lines, one, {
        pointer: inner,
        indent: `${indent}  `,
        before: name,
        after: index < parts.length - 1 ? ',' : '',
      })
    line(`${indent}${close}${after}`, false)
  }
}
