import { ErrorMessage } from '../../../parts/error-message.tsx'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import type { Violation } from '../../../../../src/base/errors/problem.ts'
import { findFault, parseJson } from '../../../../../src/base/formats/json.ts'
import { useRef } from 'preact/hooks'
import { isObject, pretty, splitPointer } from '../changes.ts'
import { useText } from './edit.ts'
import type { Members } from './use-draft.ts'

interface JsonEditorProps {
  readonly value: Members
  readonly errors: readonly Violation[]
  readonly set: (value: Members) => void
  readonly setInvalid: (pointer: string, message: string | undefined) => void
  /** `Document as JSON` when absent. */
  readonly label?: string
}

/** A document as JSON, with what is wrong at its line. */
export function JsonEditor({ value, errors, set, setInvalid, label = 'Document as JSON' }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useText(value, pretty, read)
  const complaint = complaintAbout(text)
  const select = (line: number) => {
    const lines = text.split('\n')
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
    area.current?.focus()
    area.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  }
  return (
    <div class="json-editor">
      <textarea
        ref={area}
        class="code"
        aria-label={label}
        aria-invalid={complaint !== undefined || errors.length > 0}
        spellcheck={false}
        rows={Math.min(40, Math.max(12, text.split('\n').length + 1))}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setInvalid('', complaintAbout(currentTarget.value))
          const said = read(currentTarget.value)
          if (said) set(said.value)
        }}
      />
      <ErrorMessage text={complaint} />
      {errors.map(({ pointer = '', message }) => {
        const line = lineOf(text, pointer)
        return (
          <p key={message} class="error">
            <button class="small" type="button" onClick={() => select(line)}>
              Line {line}
            </button>{' '}
            {message}
          </p>
        )
      })}
    </div>
  )
}

function read(text: string): { readonly value: Members } | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? { value } : undefined
  } catch {
    return undefined
  }
}

function complaintAbout(text: string): string | undefined {
  try {
    return isObject(parseJson(text)) ? undefined : 'Expected an object: write it in { }.'
  } catch {
    const { line, column, reason } = findFault(text)
    return `Line ${line}, column ${column}: this is not JSON${reason === undefined ? '' : ` (${reason})`}.`
  }
}

/** The line of a member, from 1, or of the nearest one around it. */
function lineOf(text: string, pointer: string): number {
  const root = parseTree(text)
  if (!root) return 1
  for (let path = splitPointer(pointer); path.length > 0; path = path.slice(0, -1)) {
    const node = findNodeAtLocation(
      root,
      path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
    )
    if (node) return text.slice(0, node.offset).split('\n').length
  }
  return 1
}
