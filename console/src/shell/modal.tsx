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
  const wasShown = useRef(false)
  // With the rendering: a key that is pressed at once must not find a dialog that is closed, and still open in the page.
  useLayoutEffect(() => {
    wasShown.current = isOpen
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-label={label}
      // Not left to the browser, whose event comes after the dialog is gone: a key in between would find it still open.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
      // Where the browser closed it by itself, as for the back gesture. The event of our own closing comes late: the dialog may be opening again.
      onClose={() => {
        if (wasShown.current && dialog.current?.open === false) close()
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
