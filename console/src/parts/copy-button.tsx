import { useEffect, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

export function CopyButton({
  text,
  label = 'Copy',
  onError,
}: {
  readonly text: string | (() => string | Promise<string>)
  readonly label?: string
  /** Called when there is no text, or it cannot be copied. */
  readonly onError?: (error: unknown) => void
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    void Promise.resolve(typeof text === 'string' ? text : text())
      .then((copied) => navigator.clipboard.writeText(copied))
      .then(
        () => setCopied(true),
        (error: unknown) => onError?.(error),
      )
  }
  return (
    <button type="button" class="copy" onClick={copy}>
      <Icon name={isCopied ? 'done' : 'copy'} />
      {isCopied ? 'Copied' : label}
    </button>
  )
}
