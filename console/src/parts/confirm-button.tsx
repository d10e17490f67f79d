import { useEffect, useState } from 'preact/hooks'

interface ConfirmButtonProps {
  readonly label: string
  /** What the button says after the first click. */
  readonly question: string
  readonly act: () => void
  readonly disabled?: boolean
}

/** A button for actions that cannot be undone: the first click asks, the second acts. */
export function ConfirmButton({ label, question, act, disabled = false }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (!isAsking) return undefined
    const timer = setTimeout(() => setAsking(false), 5_000)
    return () => clearTimeout(timer)
  }, [isAsking])
  const click = () => {
    setAsking(!isAsking)
    if (isAsking) act()
  }
  return (
    <button
      type="button"
      class={isAsking ? 'danger' : ''}
      disabled={disabled}
      onClick={click}
      onBlur={() => setAsking(false)}
    >
      {isAsking ? question : label}
    </button>
  )
}
