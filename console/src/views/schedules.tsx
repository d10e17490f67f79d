import { Route, Switch, useLocation } from 'wouter-preact'
import { useEscape } from '../parts/use-escape.ts'
import { useLoad } from '../use-load.ts'
import { ScheduleDetail } from './schedules/schedule-detail.tsx'
import { ScheduleForm } from './schedules/schedule-form.tsx'
import { ScheduleList } from './schedules/schedule-list.tsx'
import './schedules/schedules.css'

/** The report schedules: when they run, why then, and what they sent. */
export function Schedules() {
  const [location, go] = useLocation()
  const selected = Number(/^\/(\d+)/.exec(location)?.[1] ?? Number.NaN)
  const clock = useLoad((client) => client.getClock(), [], ['state', 'run'])
  const isOpen = location !== '/' && location !== ''
  const close = () => go('/')
  // A form keeps what was typed.
  useEscape(isOpen && !/\/(new|edit)$/.test(location), close)
  return (
    <div class={`split schedules ${isOpen ? 'split-open' : ''}`}>
      <ScheduleList selected={selected} open={(id) => go(`/${id}`)} create={() => go('/new')} now={clock.value?.now} />
      <Switch>
        <Route path="/new">
          <ScheduleForm key="new" saved={(id) => go(id === undefined ? '/' : `/${id}`)} close={close} />
        </Route>
        <Route path="/:id/edit">
          {({ id }) => <ScheduleForm key={id} id={Number(id)} saved={() => go(`/${id}`)} close={() => go(`/${id}`)} />}
        </Route>
        <Route path="/:id/runs/:run">
          {({ id, run }) => <ScheduleDetail key={id} id={Number(id)} run={Number(run)} close={close} />}
        </Route>
        <Route path="/:id">{({ id }) => <ScheduleDetail key={id} id={Number(id)} close={close} />}</Route>
      </Switch>
    </div>
  )
}
