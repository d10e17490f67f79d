import { useSignal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { control, messageOf } from '../../session.ts'
import { loadTest, type CodeRunner, RUNNERS } from '../../../../src/control/client/test-code/test-code.ts'

const RUNNER = 'standin.runner'

/** Copies an exchange as a test, for the runner that was chosen last. */
export function CopyTest({ exchange }: { readonly exchange: ExchangeRecord }) {
  const runner = useSignal((localStorage.getItem(RUNNER) ?? 'vitest') as CodeRunner)
  const [refusal, setRefusal] = useState<string>()
  const choose = (chosen: CodeRunner) => {
    localStorage.setItem(RUNNER, chosen)
    runner.value = chosen
  }
  return (
    <span class="copy-test">
      <CopyButton
        text={() => loadTest(control.value, exchange, runner.value)}
        label="Copy as test"
        onError={(error) => setRefusal(messageOf(error))}
      />
      <select
        aria-label="Runner of the test"
        value={runner.value}
        onChange={(event) => choose(event.currentTarget.value as CodeRunner)}
      >
        {Object.entries(RUNNERS).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <ErrorMessage text={refusal} />
    </span>
  )
}
