import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { tryParseJson } from '../../../src/base/formats/json.ts'
import { type SavedRun, savedRunIn } from '../../../src/control/client/mutation-report.ts'
import { Empty } from '../parts/empty.tsx'
import { ErrorMessage } from '../parts/error-message.tsx'
import { FileButton } from '../parts/file-button.tsx'
import { useEscape } from '../parts/use-escape.ts'
import { MutantDetail } from './mutations/mutant-detail.tsx'
import { MutantList } from './mutations/mutant-list.tsx'
import { isAt, type ListedMutant, mutantsOf } from './mutations/mutants.ts'
import { Score } from './mutations/score.tsx'
import './mutations/mutations.css'

/** The report that was opened, kept until the page is loaded anew. */
const opened = signal<SavedRun | undefined>(undefined)

/** What a report of `standin mutate` says: the changes of the service that the client does not cope with, and those that no test notices. */
export function Mutations() {
  const [text, setText] = useState('')
  const [isWhole, setWhole] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [location, go] = useLocation()
  const run = opened.value
  const selected = run && mutantsOf(run).find(({ id }) => isAt(location, id))
  const close = () => go('/')
  useEscape(selected !== undefined, close)
  const open = (report: string) => {
    const found = savedRunIn(tryParseJson(report))
    setRefusal(found ? undefined : NO_REPORT)
    if (!found) return
    opened.value = found
    close()
  }
  return (
    <div class={`split ${selected ? 'split-open' : ''}`}>
      <section class="pane" aria-label="Mutations">
        <div class="toolbar">
          <h1>Mutations</h1>
          {run ? (
            <>
              <input
                type="search"
                aria-label="Filter changes"
                placeholder="Filter"
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
              <div class="choices" role="group" aria-label="Show">
                <button aria-pressed={!isWhole} onClick={() => setWhole(false)}>
                  Findings
                </button>
                <button aria-pressed={isWhole} onClick={() => setWhole(true)}>
                  All changes
                </button>
              </div>
            </>
          ) : null}
          <span class="toolbar-rest" />
          {run ? <FileButton label="Open another report" accept=".json" load={open} /> : null}
        </div>
        <ErrorMessage text={refusal} />
        {run ? (
          <div class="pane-body">
            <Score run={run} />
            <MutantList mutants={shown(run, text, isWhole)} selected={selected} isFiltered={text !== ''} />
          </div>
        ) : (
          <FirstReport open={open} />
        )}
      </section>
      {selected ? <MutantDetail key={selected.id} mutant={selected} close={close} /> : null}
    </div>
  )
}

const NO_REPORT =
  'Expected a report of standin mutate, received another file. Write one with standin mutate --format stryker --out mutation.json.'

function shown(run: SavedRun, text: string, isWhole: boolean): readonly ListedMutant[] {
  return mutantsOf(run).filter(
    ({ id, change, isOpen, outcomes }) =>
      (isWhole || isOpen) &&
      `${id} ${change} ${outcomes.map(({ test }) => test).join(' ')}`.toLowerCase().includes(text.toLowerCase()),
  )
}

function FirstReport({ open }: { readonly open: (report: string) => void }) {
  return (
    <Empty icon="mutations" title="Which change of the service would your tests not notice?">
      <p>Run this with your own test command, and open the file that it writes:</p>
      <p>
        <code>standin mutate --format stryker --out mutation.json -- npx vitest run</code>
      </p>
      <p class="buttons">
        <FileButton label="Open a report" accept=".json" load={open} />
      </p>
    </Empty>
  )
}
