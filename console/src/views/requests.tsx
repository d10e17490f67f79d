import { Route, useLocation } from 'wouter-preact'
import { Requests as List } from './requests/request-list.tsx'
import { Exchange } from './requests/exchange.tsx'

/** What the stand-in was asked, and what it answered. */
export function Requests() {
  const [location, go] = useLocation()
  const selected = /^\/(\d+)/.exec(location)?.[1]
  return (
    <div class={`split ${selected === undefined ? '' : 'split-open'}`}>
      <List selected={selected === undefined ? undefined : Number(selected)} open={(id) => go(`/${id}`)} />
      <Route path="/:id">
        {({ id }) => <Exchange id={Number(id)} close={() => go('/')} open={(other) => go(`/${other}`)} />}
      </Route>
    </div>
  )
}
