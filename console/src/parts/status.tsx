/** A status as a badge; its class tells the colour. */
export function Status({ status, fault }: { readonly status: number | undefined; readonly fault?: string | null }) {
  const text = status === undefined ? 'none' : status === 0 ? 'broken' : String(status)
  const kind = status === undefined || status === 0 ? 'broken' : `${Math.floor(status / 100)}xx`
  return (
    <span class={`status status-${kind}`} title={fault ? `Fault: ${fault}` : undefined}>
      {text}
    </span>
  )
}
