import { CopyButton } from './copy-button.tsx'

/** A body: formatted where it is JSON, as it is otherwise. Always text, never markup. */
export function Json({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="json">
      <CopyButton text={text} />
      <pre tabIndex={0} role="group" aria-label={label}>
        {formatted(text)}
      </pre>
    </div>
  )
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
