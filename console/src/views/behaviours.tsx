import { useMemo, useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { BehaviourRecord } from '../../../src/control/client/types.ts'
import { Empty } from '../parts/empty.tsx'
import { Failed } from '../parts/failed.tsx'
import { useEscape } from '../parts/use-escape.ts'
import { Prose } from '../parts/prose.tsx'
import { useExchanges } from '../use-exchanges.ts'
import { useLoad } from '../use-load.ts'
import './behaviours/behaviours.css'
import { BehaviourDetail } from './behaviours/behaviour-detail.tsx'

type Show = 'possible' | 'met' | 'changed' | 'all'

const SHOWS: readonly { readonly show: Show; readonly label: string }[] = [
  { show: 'possible', label: 'This contract' },
  { show: 'met', label: 'Met by requests' },
  { show: 'changed', label: 'Changed' },
  { show: 'all', label: 'All' },
]

/** What the contract leaves open: how this sandbox settles it, and which of it the traffic depended on. */
export function Behaviours() {
  const [show, setShow] = useState<Show>('possible')
  const [text, setText] = useState('')
  const [location, go] = useLocation()
  const settings = useLoad((client) => client.getBehaviours(), [], ['state'])
  const { exchanges } = useExchanges()
  const met = useMemo(() => countMet((exchanges ?? []).map(({ behaviours }) => behaviours)), [exchanges])
  const overrides = settings.value?.overrides ?? {}
  const all = settings.value?.behaviours ?? []
  const selected = all.find(({ id }) => `/${id}` === location)
  const close = () => go('/')
  useEscape(selected !== undefined, close)
  const isShown: Readonly<Record<Show, (one: BehaviourRecord) => boolean>> = {
    possible: ({ id, applies }) => applies || met.has(id) || id in overrides,
    met: ({ id }) => met.has(id),
    changed: ({ id }) => id in overrides,
    all: () => true,
  }
  const shown = all.filter(
    (one) => isShown[show](one) && `${one.id} ${one.question}`.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <div class={`split ${selected ? 'split-open' : ''}`}>
      <section class="pane" aria-label="Behaviours">
        <div class="toolbar">
          <h1>Behaviours</h1>
          <input
            type="search"
            aria-label="Filter behaviours"
            placeholder="Filter by words"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <div class="choices" role="group" aria-label="Show">
            {SHOWS.map((one) => (
              <button key={one.show} aria-pressed={show === one.show} onClick={() => setShow(one.show)}>
                {one.label} <span class="count">{all.filter(isShown[one.show]).length}</span>
              </button>
            ))}
          </div>
        </div>
        {settings.error === undefined ? null : <Failed error={settings.error} retry={settings.reload} />}
        <div class="pane-body">
          {settings.value && shown.length === 0 ? <Nothing show={show} /> : null}
          {Object.entries(Object.groupBy(shown, ({ section }) => section)).map(([section, behaviours = []]) => (
            <section key={section}>
              <h3>{section}</h3>
              <ul class="plain list">
                {behaviours.map((one) => (
                  <Item
                    key={one.id}
                    behaviour={one}
                    met={met.get(one.id) ?? 0}
                    isChanged={one.id in overrides}
                    isSelected={one === selected}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </section>
      {selected ? (
        <BehaviourDetail
          key={selected.id}
          behaviour={selected}
          overrides={overrides}
          met={met.get(selected.id) ?? 0}
          close={close}
          changed={settings.reload}
        />
      ) : null}
    </div>
  )
}

interface ItemProps {
  readonly behaviour: BehaviourRecord
  readonly met: number
  readonly isChanged: boolean
  readonly isSelected: boolean
}

function Item({ behaviour: { id, question, setting }, met, isChanged, isSelected }: ItemProps) {
  return (
    <li>
      <Link href={`/${id}`} class="list-link behaviour" data-item="opens" aria-current={isSelected}>
        <span class="list-title">
          <Prose text={question} />
        </span>
        <span class="behaviour-setting">
          {isChanged ? <span class="tag tag-warn">changed</span> : null}
          {met > 0 ? (
            <span class="tag">
              {met} {met === 1 ? 'response' : 'responses'}
            </span>
          ) : null}
          <code class="tag tag-plain">{settingInShort(setting)}</code>
        </span>
        <code class="list-note">{id}</code>
      </Link>
    </li>
  )
}

/** @example settingInShort('null') // 'null' */
function settingInShort(setting: unknown): string {
  const text = typeof setting === 'string' ? setting : JSON.stringify(setting)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const LONGEST = 28

function Nothing({ show }: { readonly show: Show }) {
  if (show === 'met')
    return (
      <Empty icon="behaviours" title="No response depended on an open question yet">
        <p>Send requests to the service: each response names the behaviours that it depended on.</p>
      </Empty>
    )
  if (show === 'changed')
    return (
      <Empty icon="behaviours" title="Every behaviour has its usual setting">
        <p>Choose one under “This contract” to change it for this sandbox.</p>
      </Empty>
    )
  return <Empty title="No behaviour matches the filter" />
}

function countMet(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const id of lists.flat()) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}
