import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { changes, CODE_URL, hasToken } from '../session.ts'
import { counted } from '../views/history/event-words.ts'

/** The changes that were made in the console, as code for a test. */
export function AsCode() {
  const all = changes.value
  const last = all.at(-1)
  if (!last) return null
  const made = all.filter(({ refusal }) => refusal === undefined)
  const script = [
    `const control = createControlClient({ url: '${CODE_URL}'${hasToken.value ? ', token: process.env.STANDIN_CONTROL_TOKEN' : ''} })`,
    ...made.map(({ code }) => code),
  ].join('\n')
  return (
    <details class="as-code">
      <summary>
        <Icon name="chevron" />
        <Icon name="code" />
        <span class="as-code-title">As code</span>
        <code class={last.refusal === undefined ? '' : 'refused'}>{last.code.split('\n')[0]}</code>
        {last.refusal === undefined ? null : <span class="tag tag-warn">refused</span>}
        <span class="quiet as-code-count">{counted(made.length, 'change', 'changes')}</span>
      </summary>
      <div class="as-code-body">
        <p>Each change that you make here is a call of the control client. Put them into a test:</p>
        <CopyButton text={script} label="Copy all" />
        <pre tabIndex={0}>{script}</pre>
      </div>
    </details>
  )
}
