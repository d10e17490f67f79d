import { useEffect } from 'preact/hooks'
import { connection } from '../live.ts'
import { controlOf, info, sandboxName } from '../session.ts'
import { Icon } from '../parts/icon.tsx'
import { ClockControl } from './clock-control.tsx'
import { openDialog } from './keyboard.ts'
import { PALETTE_KEYS } from './keys-dialog.tsx'
import { SandboxSelect } from './sandbox-select.tsx'

const CONNECTION = { connecting: 'connecting', live: 'live', lost: 'connection lost, retrying' } as const

export function Header() {
  useEffect(() => {
    if (connection.value !== 'live') return
    controlOf(sandboxName.value)
      .getInfo()
      .then(
        (value) => (info.value = value),
        () => undefined,
      )
  }, [connection.value])
  const contract = info.value?.contract
  return (
    <header class="header">
      <a class="brand" href="#/" aria-label="Standin console">
        <img src="./icon.svg" alt="" width="24" height="24" />
        <span>Standin</span>
      </a>
      {contract === undefined ? null : (
        <span class="contract" title={contract}>
          {contract.replace(/^.*\//, '')}
        </span>
      )}
      <span class={`connection connection-${connection.value}`} role="status">
        {CONNECTION[connection.value]}
      </span>
      <span class="header-rest" />
      <button class="header-search" onClick={() => (openDialog.value = 'palette')}>
        <Icon name="search" />
        <span class="header-search-text">Search or jump to…</span>
        <kbd>{PALETTE_KEYS.join(' ')}</kbd>
      </button>
      <SandboxSelect />
      <ClockControl />
    </header>
  )
}
