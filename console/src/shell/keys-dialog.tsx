import { Modal } from './modal.tsx'
import { openDialog } from './keyboard.ts'

const MODIFIER = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The keys of the palette, as people read them. */
export const PALETTE_KEYS = [MODIFIER, 'K'] as const

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [PALETTE_KEYS, 'Search for views, sandboxes, operations, collections and actions'],
  [['j', '↓'], 'The next row'],
  [['k', '↑'], 'The previous row'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close what is open'],
  [['/'], 'Filter the list'],
  [['?'], 'These keys'],
]

export function KeysDialog() {
  const close = () => {
    if (openDialog.value === 'keys') openDialog.value = undefined
  }
  return (
    <Modal label="Keyboard" isOpen={openDialog.value === 'keys'} close={close} class="keys">
      <h2>Keyboard</h2>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">They work in every view, outside of fields.</p>
      <div class="buttons">
        <button onClick={close}>Close</button>
      </div>
    </Modal>
  )
}
