import { type SeenDifference, type TestOutcome, VERDICT_WORDS } from '../../../../src/control/client/mutation-report.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Method } from '../../parts/method.tsx'
import { Prose } from '../../parts/prose.tsx'
import type { ListedMutant } from './mutants.ts'
import { VERDICT_TAGS } from './score.tsx'

interface MutantDetailProps {
  readonly mutant: ListedMutant
  readonly close: () => void
}

/** One change of the service: where it showed, what the tests made of it, and a test that would notice. */
export function MutantDetail({ mutant, close }: MutantDetailProps) {
  const { id, verdict, change, usual, reason, telling, outcomes, readyTest, again } = mutant
  const { difference } = telling[0] ?? {}
  return (
    <section class="pane detail" aria-label={`Change ${id}`}>
      <div class="toolbar">
        <h2>
          <code>{id}</code>
        </h2>
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      <div class="detail-body" tabIndex={0}>
        <p>
          <span class={`tag tag-first ${VERDICT_TAGS[verdict]}`}>{VERDICT_WORDS[verdict]}</span>
        </p>
        <p class="lead request-line">
          <Prose text={change} />
        </p>
        <p class="quiet request-line">
          Usually: <Prose text={usual} />
        </p>
        {reason === undefined ? null : <p>Accepted: {reason}</p>}
        {difference ? <Difference difference={difference} /> : null}
        <h3>Tests</h3>
        <ul class="plain">
          {outcomes.slice(0, SHOWN).map((outcome) => (
            <Test key={outcome.test} outcome={outcome} />
          ))}
        </ul>
        {outcomes.length > SHOWN ? <p class="quiet">and {outcomes.length - SHOWN} more</p> : null}
        {readyTest === undefined ? null : <Code title="A test that would notice" text={readyTest} />}
        {again === undefined ? null : <Code title="Try it again" text={again} />}
      </div>
    </section>
  )
}

/** Tests of one change that are listed. */
const SHOWN = 100

function Difference({ difference }: { readonly difference: SeenDifference }) {
  const { request, place, before, after } = difference
  const [, method = '', url = request] = /^([A-Z]+) (.+)$/s.exec(request) ?? []
  return (
    <>
      <h3>Where it showed</h3>
      <p class="request-line">
        {method === '' ? null : <Method name={method} />} <code>{url}</code>
      </p>
      <dl class="facts">
        <dt>{/^\/|^$/.test(place) ? 'in the body' : 'in the response'}</dt>
        <dd>
          <code>{place === '' ? 'all of it' : place}</code>
        </dd>
        <dt>usually</dt>
        <dd>
          <code>{valueWords(before)}</code>
        </dd>
        <dt>received</dt>
        <dd>
          <code>{valueWords(after)}</code>
        </dd>
      </dl>
    </>
  )
}

/** Characters of a value; bodies can be long. */
const LONGEST_VALUE = 300

function valueWords(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

function Test({ outcome: { test, outcome, message, difference } }: { readonly outcome: TestOutcome }) {
  const [words, colour] = difference === undefined ? UNTOUCHED : OUTCOMES[outcome]
  return (
    <li class="mutation-test">
      <span class={`tag tag-first ${colour}`}>{words}</span> {test}
      {message === undefined ? null : <pre tabIndex={0}>{message}</pre>}
    </li>
  )
}

const UNTOUCHED = ['received nothing else', 'tag-plain'] as const

const OUTCOMES = {
  passed: ['stayed green', 'tag-good'],
  failed: ['turned red', 'tag-bad'],
  'timed-out': ['did not end', 'tag-bad'],
  mistaken: ['green, but', 'tag-warn'],
} as const

function Code({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <h3>{title}</h3>
      <div class="json">
        <CopyButton text={text} />
        <pre tabIndex={0} role="group" aria-label={title}>
          {text}
        </pre>
      </div>
    </>
  )
}
