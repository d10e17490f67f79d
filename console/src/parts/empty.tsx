import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  readonly title: string
  /** What would be there. */
  readonly icon?: IconName
  readonly children?: ComponentChildren
}

/** Shown instead of an empty list: what is missing, and what to do. */
export function Empty({ title, icon = 'search', children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-picture" aria-hidden="true">
        <svg viewBox="0 0 96 96">
          <circle cx="40" cy="48" r="34" />
          <circle cx="56" cy="48" r="34" />
        </svg>
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  )
}
