import { render } from 'preact'
import { App } from './app.tsx'
import 'virtual:design-tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/shell.css'
import './styles/panes.css'
import './styles/parts.css'
import './styles/rows.css'

const root = document.querySelector('#app')
if (root) render(<App />, root)
