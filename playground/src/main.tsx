import { render } from 'preact'
import { App } from './app.tsx'
import { serveFrames } from './frames.ts'
import { openAddress } from './session.ts'

serveFrames()
const root = document.querySelector('#app')
if (root) render(<App />, root)
addEventListener('hashchange', () => void openAddress())
void openAddress()
