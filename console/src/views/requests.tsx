import { useEffect, useMemo, useState } from 'preact/hooks'
import { Route, Switch, useLocation } from 'wouter-preact'
import { useEscape } from '../parts/use-escape.ts'
import { useExchanges } from '../use-exchanges.ts'
import { Exchange } from './requests/exchange.tsx'
import { filterExchanges, type Outcome } from './requests/filter-exchanges.ts'
import { FoundByRequestId } from './requests/found-by-request-id.tsx'
import { RequestList } from './requests/request-list.tsx'
import { rowsOf, type Walk } from './requests/rows/walks.ts'
import './requests/requests.css'

/**
 * The requests and responses of the sandbox. `#/requests/17` shows one exchange, `#/requests/id/…` the one with an
 * `X-Request-Id`, `#/requests/behaviour/page.last` lists those that depended on a behaviour.
 */
export function Requests() {
  const [location, go] = useLocation()
  const [outcome, setOutcome] = useState<Outcome>('all')
  const [text, setText] = useState('')
  const [behaviour, setBehaviour] = useState('')
  const loaded = useExchanges()
  const shown = useMemo(
    () => filterExchanges(loaded.exchanges ?? [], { outcome, text, behaviour }),
    [loaded.exchanges, outcome, text, behaviour],
  )
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const rows = useMemo(() => rowsOf(shown, unfolded), [shown, unfolded])
  const toggle = ({ pages }: Walk) =>
    setUnfolded((held) => {
      const ids = new Set(pages.map(({ id }) => id))
      const others = new Set([...held].filter((id) => !ids.has(id)))
      return others.size === held.size ? new Set([...held, pages[0]?.id ?? 0]) : others
    })
  const asked = /^\/behaviour\/(.+)$/.exec(location)?.[1]
  useEffect(() => {
    if (asked === undefined) return
    setBehaviour(asked)
    go('/', { replace: true })
  }, [asked])
  const id = /^\/(\d+)$/.exec(location)?.[1]
  const selected = id === undefined ? undefined : Number(id)
  const open = (next: number) => go(`/${next}`)
  const close = () => go('/')
  useEscape(selected !== undefined, close)
  return (
    <div class={`split ${location === '/' || location === '' ? '' : 'split-open'}`}>
      <RequestList
        loaded={loaded}
        rows={rows}
        toggle={toggle}
        selected={selected}
        open={open}
        choice={{ outcome, text, behaviour }}
        choose={(choice) => {
          setOutcome(choice.outcome)
          setText(choice.text)
          setBehaviour(choice.behaviour)
        }}
      />
      <Switch>
        <Route path="/id/:requestId">
          {({ requestId }) => <FoundByRequestId requestId={requestId} loaded={loaded} close={close} />}
        </Route>
        <Route path="/:id">{({ id: given }) => <Exchange id={Number(given)} close={close} open={open} />}</Route>
      </Switch>
    </div>
  )
}
