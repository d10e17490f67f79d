import type { ComponentChildren } from 'preact'

/** Shown instead of an empty list: what is missing, and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
