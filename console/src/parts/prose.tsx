/** A text with code between backticks, as the documents of Standin are written. */
export function Prose({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
}
