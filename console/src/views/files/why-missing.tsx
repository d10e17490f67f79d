import { ErrorMessage } from '../../parts/error-message.tsx'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { EntryExplanation, ExplainSearchRequest } from '../../../../src/control/client/types.ts'
import { control, messageOf } from '../../session.ts'

/** Asks why an entry is in the result of a search or not. */
export function WhyMissing({ search }: { readonly search: ExplainSearchRequest }) {
  const [text, setText] = useState('')
  const [entry, setEntry] = useState<EntryExplanation>()
  const [refusal, setRefusal] = useState<string>()
  const ask = async () => {
    setRefusal(undefined)
    try {
      setEntry(await explainEntry(search, text.trim()))
    } catch (error) {
      setEntry(undefined)
      setRefusal(messageOf(error))
    }
  }
  return (
    <section class="callout callout-plain files-callout" aria-label="Why is a file missing?">
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          void ask()
        }}
      >
        <label class="field">
          <span>Path or id of the file</span>
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
      {entry === undefined ? null : <Verdict entry={entry} />}
    </section>
  )
}

function Verdict({ entry: { inResult, why, scope, clauses = [] } }: { readonly entry: EntryExplanation }) {
  return (
    <div role="status">
      <p class={`callout ${inResult ? 'callout-good' : 'callout-bad'}`}>
        {/^It is (?:not )?in the result/.test(why) ? null : <strong>It is not in the result. </strong>}
        {why}
      </p>
      <ul class="verdict plain">
        {scope ? <Check holds={scope.holds}>{scope.why}</Check> : null}
        {clauses.map(({ pointer, reads, holds, held }) => (
          <Check key={pointer} holds={holds}>
            <code>{reads}</code>
            <span class="quiet"> · it has {held === null ? 'null' : String(held)}</span>
          </Check>
        ))}
      </ul>
    </div>
  )
}

function Check({ holds, children }: { readonly holds: boolean; readonly children: ComponentChildren }) {
  return (
    <li>
      <span class={`tag ${holds ? 'tag-good' : 'tag-bad'}`}>{holds ? 'meets' : 'fails'}</span> {children}
    </li>
  )
}

/** By path; by id where nothing has that path. */
async function explainEntry(search: ExplainSearchRequest, wanted: string): Promise<EntryExplanation | undefined> {
  const path = wanted.replace(/^\/+|\/+$/g, '')
  const { entry } = await control.value.explainSearch(search, { path })
  if (entry?.id !== null) return entry
  const byId = await control.value.explainSearch(search, { id: wanted })
  return byId.entry?.id === null ? entry : byId.entry
}
