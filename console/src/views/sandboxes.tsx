import { Route, Switch, useLocation } from 'wouter-preact'
import { Failed } from '../parts/failed.tsx'
import { useEscape } from '../parts/use-escape.ts'
import { VirtualRows } from '../parts/rows/virtual-rows.tsx'
import { sandboxName } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { timeOf } from './history/event-words.ts'
import { START } from './sandboxes/comparable-states.ts'
import { Compare } from './sandboxes/compare.tsx'
import { CreateSandbox } from './sandboxes/create-sandbox.tsx'
import { OneSandbox } from './sandboxes/one-sandbox.tsx'
import { contentsOf } from './sandboxes/words.ts'
import './sandboxes/sandboxes.css'

/** The sandboxes: which there are, what each holds, and what two of them do not have in common. */
export function Sandboxes() {
  const [location, go] = useLocation()
  const selected = /^\/show\/(.+)/.exec(location)?.[1]
  const { value, error, reload } = useLoad((client) => client.listSandboxes(), [], ['state', 'run', 'exchange'])
  const sandboxes = value?.sandboxes ?? []
  const close = () => go('/')
  // A form keeps what was typed.
  useEscape(location !== '/' && location !== '' && location !== '/new', close)
  return (
    <div class={`split ${location === '/' ? '' : 'split-open'}`}>
      <section class="pane" aria-label="Sandboxes">
        <div class="toolbar">
          <h1>Sandboxes</h1>
          <span class="toolbar-rest" />
          <button onClick={() => go('/compare')}>What changed?</button>
          <button class="primary" onClick={() => go('/new')}>
            New sandbox
          </button>
        </div>
        {error === undefined ? null : <Failed error={error} retry={reload} />}
        <VirtualRows
          label="Sandboxes"
          columns={['Name', 'Clock (UTC)', 'Holds', 'Requests', 'Checkpoints']}
          widths="minmax(10.5rem, 1fr) 11rem minmax(7rem, 2fr) 4.5rem 6rem"
          narrow={{ columns: [0, 2], widths: 'minmax(7rem, 1fr) minmax(8rem, 1.5fr)' }}
          opensOnMove={selected !== undefined}
          count={sandboxes.length}
          keyOf={(index) => sandboxes[index]?.name ?? index}
          onOpen={(index) => go(`/show/${sandboxes[index]?.name ?? ''}`)}
          isSelected={(index) => sandboxes[index]?.name === selected}
        >
          {(index) => {
            const sandbox = sandboxes[index]
            if (!sandbox) return []
            const { name, clock, recorded, checkpoints } = sandbox
            return [
              <span title={name} class="sandbox-name">
                <span>{name}</span>
                {name === sandboxName.value ? <span class="tag">shown</span> : null}
              </span>,
              <time dateTime={clock.now}>{timeOf(clock.now)}</time>,
              <span title={contentsOf(sandbox)}>{contentsOf(sandbox)}</span>,
              recorded.toLocaleString('en'),
              checkpoints,
            ]
          }}
        </VirtualRows>
        {sandboxes.length === 1 ? (
          <p class="sandboxes-hint quiet">
            A sandbox is a state of its own: give each test or each colleague one. Requests choose it with the header{' '}
            <code>X-Mock-Sandbox: name</code>, or with an API key that ends in <code>@name</code>.
          </p>
        ) : null}
      </section>
      <Switch>
        <Route path="/new">
          <CreateSandbox sandboxes={sandboxes} close={close} done={(name) => go(`/show/${name}`)} />
        </Route>
        <Route path="/compare/:left?/:right?">
          {({ left, right }) => (
            <Compare
              sandboxes={sandboxes}
              left={left ?? START}
              right={right ?? sandboxName.value}
              choose={(one, other) => go(`/compare/${one}/${other}`, { replace: true })}
              close={close}
            />
          )}
        </Route>
        <Route path="/show/:name">
          {({ name }) => (
            <OneSandbox
              key={name}
              summary={sandboxes.find((one) => one.name === name)}
              isLoaded={value !== undefined}
              name={name}
              close={close}
              reload={reload}
            />
          )}
        </Route>
      </Switch>
    </div>
  )
}
