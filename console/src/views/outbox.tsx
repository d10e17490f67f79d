import { Route, useLocation } from 'wouter-preact'
import { Mail } from './outbox/mail.tsx'
import { MailList } from './outbox/mail-list.tsx'
import './outbox/outbox.css'

/** What the runs of schedules sent, as mails. */
export function Outbox() {
  const [location, go] = useLocation()
  const selected = /^\/(\d+)/.exec(location)?.[1]
  return (
    <div class={`split outbox ${selected === undefined ? '' : 'split-open'}`}>
      <MailList selected={Number(selected ?? Number.NaN)} open={(id) => go(`/${id}`)} close={() => go('/')} />
      <Route path="/:id">{({ id }) => <Mail key={id} id={Number(id)} close={() => go('/')} />}</Route>
    </div>
  )
}
