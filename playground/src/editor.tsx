import { Fragment } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { complaints, contract, edit, openFile, served } from './session.ts'

/** Pixels; as in the style. */
const LINE_HEIGHT = 20

/** The line that a message is about, from 1. */
export function lineOf(message: string): number | undefined {
  const [, line] = /^openapi\.\w+:(\d+)/.exec(message) ?? []
  return line === undefined ? undefined : Number(line)
}

/** Selects a line of the document. */
export function showLine(line: number): void {
  const area = document.querySelector<HTMLTextAreaElement>('#document')
  if (!area) return
  const lines = area.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  area.focus()
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  area.scrollTop = Math.max(0, (line - 4) * LINE_HEIGHT)
  area.scrollLeft = 0
}

/** A field with numbered lines, which takes dropped files. */
export function Editor() {
  const gutter = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const isRefused = complaints.value.length > 0
  const marked = linesIn(isRefused ? complaints.value : (served.value?.notes ?? []))
  const count = contract.value.split('\n').length
  return (
    <div
      class={isOver ? 'editor is-over' : 'editor'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer?.files ?? []
        if (file) openFile(file)
      }}
    >
      <div class="gutter" ref={gutter} aria-hidden="true">
        {numbers(count, marked, isRefused ? 'wrong' : 'noted')}
      </div>
      <textarea
        id="document"
        aria-label="OpenAPI document: paste or drop one"
        aria-invalid={isRefused}
        wrap="off"
        spellcheck={false}
        autocomplete="off"
        value={contract.value}
        onInput={({ currentTarget }) => edit(currentTarget.value)}
        onScroll={({ currentTarget }) => {
          if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop
        }}
      />
    </div>
  )
}

/** The numbers of lines, those that messages are about marked. The others are few texts, since a document may have thousands. */
function numbers(count: number, marked: readonly number[], kind: string) {
  const shown = [0, ...marked.filter((line) => line <= count)]
  return shown.map((line, at) => {
    const next = shown[at + 1] ?? count + 1
    const rest = Array.from({ length: next - line - 1 }, (_, index) => `${line + index + 1}\n`).join('')
    return (
      <Fragment key={line}>
        {line === 0 ? null : <mark class={kind}>{`${line}\n`}</mark>}
        {rest}
      </Fragment>
    )
  })
}

/** In order, each once. */
function linesIn(messages: readonly string[]): readonly number[] {
  const lines = messages.map(lineOf).filter((line) => line !== undefined)
  return [...new Set(lines)].toSorted((one, other) => one - other)
}
