import { useEffect } from 'preact/hooks'
import { Redirect, Route, Router, Switch } from 'wouter-preact'
import { useHashLocation } from 'wouter-preact/use-hash-location'
import { follow } from './live.ts'
import { useKeyboard } from './shell/keyboard.ts'
import { KeysDialog } from './shell/keys-dialog.tsx'
import { Notice } from './shell/notice.tsx'
import { Palette } from './shell/palette.tsx'
import { AsCode } from './shell/as-code-bar.tsx'
import { ForkNotice } from './shell/fork-notice.tsx'
import { Header } from './shell/header.tsx'
import { Navigation } from './shell/navigation.tsx'
import { TokenDialog } from './shell/token-dialog.tsx'
import { ConnectionProblem } from './shell/connection-problem.tsx'
import { VIEWS } from './views.ts'

export function App() {
  useEffect(follow, [])
  useKeyboard()
  return (
    <Router hook={useHashLocation}>
      <a class="skip-link" href="#main" onClick={focusMain}>
        Skip to the content
      </a>
      <Header />
      <Navigation />
      <main id="main" tabIndex={-1}>
        <ConnectionProblem />
        <ForkNotice />
        <Switch>
          {VIEWS.map(({ path, component: View }) => (
            <Route key={path} path={`/${path}`} nest>
              <View />
            </Route>
          ))}
          <Route>
            <Redirect to={`/${VIEWS[0]?.path ?? ''}`} replace />
          </Route>
        </Switch>
      </main>
      <AsCode />
      <TokenDialog />
      <Palette />
      <KeysDialog />
      <Notice />
    </Router>
  )
}

/** The address after `#` is the view's, so the link must not change it. */
function focusMain(event: Event): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}
