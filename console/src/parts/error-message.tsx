/** A message that screen readers announce; nothing without a text. */
export function ErrorMessage({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p class="error" role="alert">
      {text}
    </p>
  )
}
