import { Route, useLocation } from 'wouter-preact'
import { useEscape } from '../parts/use-escape.ts'
import { useLoad } from '../use-load.ts'
import { WebhookDetail } from './webhooks/webhook-detail.tsx'
import { WebhookList } from './webhooks/webhook-list.tsx'
import './webhooks/webhooks.css'

/** The most that are loaded at once; a sandbox keeps no more. */
const LIMIT = 1_000

/** What the service sends by itself: the webhooks and callbacks of the contract. */
export function Webhooks() {
  const [location, go] = useLocation()
  const selected = /^\/(\w+)/.exec(location)?.[1]
  const close = () => go('/')
  useEscape(selected !== undefined, close)
  const loaded = useLoad((client) => client.listWebhooks({ limit: LIMIT }), [], ['state', 'exchange'])
  const found = loaded.value?.webhooks.find(({ id }) => id === selected)
  return (
    <div class={`split ${selected === undefined ? '' : 'split-open'}`}>
      <WebhookList loaded={loaded} selected={selected} open={(id) => go(`/${id}`)} close={close} />
      <Route path="/:id">
        {found ? <WebhookDetail key={found.id} webhook={found} reload={loaded.reload} close={close} /> : null}
      </Route>
    </div>
  )
}
