import { useState } from 'preact/hooks'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { Empty } from '../../parts/empty.tsx'
import { control, info, messageOf } from '../../session.ts'

/** Shown instead of files if there are none, or if no operation can find them. */
export function NoFileSets({ reload }: { readonly reload: () => void }) {
  const [refusal, setRefusal] = useState<string>()
  const canSearch = info.value?.operations.some(({ handler }) => handler === 'searchFiles') === true
  const generate = () =>
    void control.value
      .createFileSet({ id: 'demo', generate: 1_000 })
      .then(reload, (error: unknown) => setRefusal(messageOf(error)))
  if (!canSearch)
    return (
      <Empty icon="files" title="This contract has no file sets">
        <p>
          None of its operations searches files. The contract that Standin brings has one: start{' '}
          <code>standin serve</code> without <code>--contract</code>.
        </p>
        <p>
          In a contract of your own, mark the operation with <code>x-standin: searchFiles</code>.
        </p>
      </Empty>
    )
  return (
    <Empty icon="files" title="No file sets in this sandbox">
      <p>
        Generate one, or load your own with a fixture file: <code>standin serve --fixtures my-files.yaml</code>.
      </p>
      <button class="primary" onClick={generate}>
        Generate 1,000 files
      </button>
      <ErrorMessage text={refusal} />
    </Empty>
  )
}
