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
  const wrong = linesIn(complaints.value)
  const noted = linesIn(wrong.size > 0 ? [] : (served.value?.notes ?? []))
  const numbers = contract.value.split('\n').map((_, at) => {
    const kind = wrong.has(at + 1) ? 'wrong' : noted.has(at + 1) ? 'noted' : undefined
    return kind ? <mark class={kind}>{`${at + 1}\n`}</mark> : `${at + 1}\n`
  })
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
        {numbers}
      </div>
      <textarea
        id="document"
        aria-label="OpenAPI document: paste or drop one"
        aria-invalid={wrong.size > 0 || complaints.value.length > 0}
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

function linesIn(messages: readonly string[]): ReadonlySet<number> {
  return new Set(messages.map(lineOf).filter((line) => line !== undefined))
}
