import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface ModalProps {
  readonly label: string
  readonly isOpen: boolean
  readonly close: () => void
  readonly class?: string
  readonly children: ComponentChildren
}

/** A dialog over the page. The browser keeps the focus inside, and gives it back when the dialog closes. */
export function Modal({ label, isOpen, close, class: name = '', children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // With the rendering: a key that is pressed at once must not find a dialog that is closed, and still open in the page.
  useLayoutEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-label={label}
      // The event comes late: the dialog may be open again.
      onClose={() => {
        if (dialog.current?.open === false) close()
      }}
      onClick={(event) => {
        // What is around it belongs to the dialog, what is in it to its children.
        if (event.target === dialog.current) close()
      }}
    >
      {isOpen ? children : null}
    </dialog>
  )
}
