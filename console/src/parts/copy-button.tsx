import { useEffect, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string | (() => string)
  readonly label?: string
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(() => setCopied(true))
  }
  return (
    <button type="button" class="copy" onClick={copy}>
      <Icon name={isCopied ? 'done' : 'copy'} />
      {isCopied ? 'Copied' : label}
    </button>
  )
}
