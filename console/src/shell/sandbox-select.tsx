import { Icon } from '../parts/icon.tsx'
import { useLoad } from '../use-load.ts'
import { sandboxName, showSandbox } from '../session.ts'

export function SandboxSelect() {
  const { value, reload } = useLoad((control) => control.listSandboxes(), [], ['state'])
  const names = [...new Set(['default', sandboxName.value, ...(value?.sandboxes ?? []).map(({ name }) => name)])]
  return (
    <label class="sandbox-select">
      <Icon name="sandboxes" />
      <span class="visually-hidden">Sandbox</span>
      <select value={sandboxName.value} onFocus={reload} onChange={(event) => showSandbox(event.currentTarget.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
