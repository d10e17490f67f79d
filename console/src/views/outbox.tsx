import { Route, useLocation } from 'wouter-preact'
import { useEscape } from '../parts/use-escape.ts'
import { Mail } from './outbox/mail.tsx'
import { MailList } from './outbox/mail-list.tsx'
import './outbox/outbox.css'

/** What the runs of schedules sent, as mails. */
export function Outbox() {
  const [location, go] = useLocation()
  const selected = /^\/(\d+)/.exec(location)?.[1]
  const close = () => go('/')
  useEscape(selected !== undefined, close)
  return (
    <div class={`split outbox ${selected === undefined ? '' : 'split-open'}`}>
      <MailList selected={Number(selected ?? Number.NaN)} open={(id) => go(`/${id}`)} close={close} />
      <Route path="/:id">{({ id }) => <Mail key={id} id={Number(id)} close={close} />}</Route>
    </div>
  )
}
