import { useMemo } from 'preact/hooks'
import { parseJson } from '../../../src/base/formats/json.ts'
import { CopyButton } from './copy-button.tsx'
import { coloured } from './json-colours.tsx'
import { lineOf, linesOfJson } from './json-lines.ts'

/** A problem with a value in a body. */
interface JsonMark {
  /** Where it lies (RFC 6901). */
  readonly pointer: string
  readonly message: string
}

interface JsonProps {
  readonly text: string
  readonly label: string
  readonly marks?: readonly JsonMark[]
}

const NONE: readonly JsonMark[] = []

/** A body: formatted where it is JSON, as it is otherwise. Always text, never markup. */
export function Json({ text, label, marks = NONE }: JsonProps) {
  const parts = useMemo(() => partsOf(text, marks), [text, marks])
  return (
    <div class="json">
      <CopyButton text={text} />
      <pre tabIndex={0} role="group" aria-label={label}>
        {parts.length === 0 ? text : null}
        {parts.map(({ text: part, messages }, index) =>
          messages.length === 0 ? (
            coloured(part)
          ) : (
            <mark key={index}>
              {coloured(part)}
              {messages.map((message) => (
                <span key={message} class="json-note">
                  {message}
                </span>
              ))}
            </mark>
          ),
        )}
      </pre>
    </div>
  )
}

interface Part {
  readonly text: string
  readonly messages: readonly string[]
}

/** The lines that are marked, and the texts between them; empty where it is not JSON. */
function partsOf(text: string, marks: readonly JsonMark[]): readonly Part[] {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return []
  }
  const lines = linesOfJson(value)
  const marked = new Map<number, string[]>()
  for (const { pointer, message } of marks) {
    const line = lineOf(lines, pointer)
    marked.set(line, [...(marked.get(line) ?? []), message])
  }
  const parts: Part[] = []
  let start = 0
  const between = (end: number) => {
    const plain = lines.slice(start, end).map((line) => `${line.text}\n`)
    if (plain.length > 0) parts.push({ text: plain.join(''), messages: [] })
  }
  for (const [line, messages] of [...marked].sort(([a], [b]) => a - b)) {
    between(line)
    parts.push({ text: lines[line]?.text ?? '', messages })
    start = line + 1
  }
  between(lines.length)
  return parts
}
