import { ErrorMessage } from '../../parts/error-message.tsx'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { EntryExplanation, ExplainSearchRequest } from '../../../../src/control/client/types.ts'
import { control, messageOf } from '../../session.ts'
import { explainEntry } from './explain-entry.ts'

/** Asks why an entry is in the result of a search or not. */
export function WhyMissing({ search }: { readonly search: ExplainSearchRequest }) {
  const [text, setText] = useState('')
  const [entry, setEntry] = useState<EntryExplanation>()
  const [refusal, setRefusal] = useState<string>()
  const ask = async (wanted: string) => {
    setRefusal(undefined)
    try {
      const { entry } = await explainEntry((file) => control.value.explainSearch(search, file), wanted)
      setEntry(entry)
    } catch (error) {
      setEntry(undefined)
      setRefusal(messageOf(error))
    }
  }
  const choose = (path: string) => {
    setText(path)
    void ask(path)
  }
  return (
    <section class="callout callout-plain files-callout" aria-label="Why is a file missing?">
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          void ask(text.trim())
        }}
      >
        <label class="field">
          <span>Name, path or id of the file</span>
          <input
            value={text}
            required
            spellcheck={false}
            placeholder="finance/budgets/2026/plan.xlsx"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button>Ask</button>
      </form>
      <ErrorMessage text={refusal} />
      {entry === undefined ? null : <Verdict entry={entry} choose={choose} />}
    </section>
  )
}

interface VerdictProps {
  readonly entry: EntryExplanation
  /** Asks about another path. */
  readonly choose: (path: string) => void
}

/** The reasons are in the list below, so that nothing is said twice. */
function Verdict({ entry, choose }: VerdictProps) {
  const { id, path, inResult, why, scope, clauses = [], matches = [] } = entry
  return (
    <div role="status">
      <p class={`callout ${inResult ? 'callout-good' : 'callout-bad'}`}>
        {id === null || inResult ? why.replace(/ Did you mean .*$/, '') : 'It is not in the result.'}
      </p>
      {path === null ? null : <p class="quiet files-path">{path}</p>}
      {matches.length === 0 ? null : <Matches matches={matches} choose={choose} />}
      <ul class="verdict plain">
        {scope ? <Check holds={scope.holds}>{scope.why}</Check> : null}
        {clauses.map(({ pointer, reads, holds, held }) => (
          <Check key={pointer} holds={holds}>
            {reads}
            <span class="quiet"> · it has {held === null ? 'null' : JSON.stringify(held)}</span>
          </Check>
        ))}
      </ul>
    </div>
  )
}

interface MatchesProps extends Pick<VerdictProps, 'choose'> {
  readonly matches: NonNullable<EntryExplanation['matches']>
}

function Matches({ matches, choose }: MatchesProps) {
  return (
    <>
      <p>Did you mean one of these?</p>
      <ul class="plain">
        {matches.map(({ id, path }) => (
          <li key={id}>
            <button class="link" onClick={() => choose(path)}>
              {path}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Check({ holds, children }: { readonly holds: boolean; readonly children: ComponentChildren }) {
  return (
    <li>
      <span class={`tag ${holds ? 'tag-good' : 'tag-bad'}`}>{holds ? 'meets' : 'fails'}</span> {children}
    </li>
  )
}
