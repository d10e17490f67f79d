import { render } from 'preact'
import { App } from './app.tsx'
import { serveFrames } from './frames.ts'
import { openAddress } from './session.ts'

// As the docs beside it, where a reader chose light or dark there; otherwise as the system.
const appearance = localStorage.getItem('vitepress-theme-appearance')
if (appearance === 'light' || appearance === 'dark') document.documentElement.style.colorScheme = appearance

serveFrames()
const root = document.querySelector('#app')
if (root) render(<App />, root)
addEventListener('hashchange', () => void openAddress())
void openAddress()
