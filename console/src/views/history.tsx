import { useState } from 'preact/hooks'
import { Route, useLocation } from 'wouter-preact'
import type { HistoryEvent } from '../../../src/control/client/types.ts'
import { Empty } from '../parts/empty.tsx'
import { Failed } from '../parts/failed.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { useEscape } from '../parts/use-escape.ts'
import { VirtualRows } from '../parts/rows/virtual-rows.tsx'
import { counted, type EventSubject, sentenceOf, subjectOf, timeOf } from './history/event-words.ts'
import { Step } from './history/step.tsx'
import { type History as Loaded, useHistory } from './history/use-history.ts'

const SUBJECTS: readonly (readonly [EventSubject, string])[] = [
  ['schedules', 'Schedules and runs'],
  ['files', 'Files'],
  ['documents', 'Documents'],
  ['faults', 'Faults'],
  ['stubs', 'Stubs'],
  ['clock', 'Clock'],
  ['behaviours', 'Behaviours'],
  ['sandbox', 'Checkpoints, resets and imports'],
  ['other', 'Other'],
]

const ICONS: Readonly<Record<EventSubject, IconName>> = {
  schedules: 'schedules',
  files: 'files',
  documents: 'collections',
  faults: 'faults',
  stubs: 'stubs',
  clock: 'clock',
  behaviours: 'behaviours',
  sandbox: 'sandboxes',
  other: 'history',
}

/** How many steps are loaded at first, and how many more at a time. */
const STEPS = 1_000

/** What changed in the sandbox, the latest first. */
export function History() {
  const [location, go] = useLocation()
  const selected = /^\/(\d+)/.exec(location)?.[1]
  const close = () => go('/')
  useEscape(selected !== undefined, close)
  return (
    <div class={`split ${selected === undefined ? '' : 'split-open'}`}>
      <Steps selected={selected === undefined ? undefined : Number(selected)} open={(number) => go(`/${number}`)} />
      <Route path="/:number">{({ number }) => <Step number={Number(number)} close={close} />}</Route>
    </div>
  )
}

interface StepsProps {
  readonly selected: number | undefined
  readonly open: (number: number) => void
}

function Steps({ selected, open }: StepsProps) {
  const [subject, setSubject] = useState('')
  const [count, setCount] = useState(STEPS)
  const { value, error, reload } = useHistory(count)
  const all = value?.events ?? []
  const events = all.filter((event) => subject === '' || subjectOf(event) === subject).reverse()
  const present = new Set(all.map(subjectOf))
  return (
    <section class="pane" aria-label="History">
      <div class="toolbar">
        <h1>History</h1>
        <select aria-label="Show" value={subject} onChange={(event) => setSubject(event.currentTarget.value)}>
          <option value="">Every change</option>
          {SUBJECTS.filter(([one]) => present.has(one) || one === subject).map(([one, title]) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </select>
        <span class="toolbar-rest" />
        {value ? <Extent of={value} loadMore={() => setCount(count + STEPS)} /> : null}
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {value && events.length === 0 ? (
        <NoSteps isFiltered={all.length > 0} />
      ) : (
        <VirtualRows
          label="Changes"
          columns={['Step', "Sandbox's clock (UTC)", 'What changed', 'Caused by']}
          widths="3.5rem 11rem minmax(8rem, 1fr) 5.5rem"
          narrow={{ columns: [0, 2], widths: '3rem minmax(0, 1fr)' }}
          opensOnMove={selected !== undefined}
          count={events.length}
          keyOf={(index) => events[index]?.number ?? index}
          onOpen={(index) => {
            const event = events[index]
            if (event) open(event.number)
          }}
          isSelected={(index) => events[index]?.number === selected}
        >
          {(index) => cellsOf(events[index])}
        </VirtualRows>
      )}
    </section>
  )
}

function cellsOf(event: HistoryEvent | undefined) {
  if (!event) return []
  const sentence = sentenceOf(event)
  return [
    event.number,
    <time dateTime={momentOf(event)}>{timeOf(momentOf(event))}</time>,
    <span title={sentence}>
      <Icon name={ICONS[subjectOf(event)]} />
      {sentence}
    </span>,
    <span class="quiet">{causeOf(event)}</span>,
  ]
}

/** When it happened by the clock of the sandbox. A step of the clock stores the runs that it passes before it moves, each with its own time, and ends later. */
function momentOf({ at, run, to }: HistoryEvent): string {
  return run?.at ?? to ?? at
}

function causeOf({ requestId, type }: HistoryEvent): string {
  if (requestId !== undefined) return 'a request'
  return type === 'report-schedule.ran' ? 'time' : 'control API'
}

/** How much of the history is shown. */
function Extent({ of: { first, events }, loadMore }: { readonly of: Loaded; readonly loadMore: () => void }) {
  const oldest = events[0]?.number
  if (oldest === undefined) return null
  if (oldest > first)
    return (
      <>
        <span class="quiet">the latest {counted(events.length, 'step', 'steps')}</span>
        <button onClick={loadMore}>Load older steps</button>
      </>
    )
  return (
    <span class="quiet">
      {counted(events.length, 'step', 'steps')}
      {first > 0 ? `; older ones are no longer kept` : ''}
    </span>
  )
}

function NoSteps({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No step of this kind" />
  return (
    <Empty icon="history" title="Nothing has changed yet">
      <p>
        Create a schedule, add a file or move the clock: each change appears here as a step, and you can fork the
        sandbox as it was after any of them.
      </p>
    </Empty>
  )
}
