import { Icon } from './icon.tsx'

/** Closes what is open beside a list. */
export function CloseButton({ close }: { readonly close: () => void }) {
  return (
    <button class="icon-button" aria-label="Close" title="Close (Esc)" onClick={close}>
      <Icon name="close" />
    </button>
  )
}
