import type { Plugin } from 'vite'
import { DESIGN_TOKENS } from '../src/app/pages/design-tokens.ts'

const ID = 'virtual:design-tokens.css'

/** Lets pages import the style that they share with the pages that the server writes. */
export function designTokens(): Plugin {
  return {
    name: 'design-tokens',
    resolveId: (source) => (source === ID ? ID : undefined),
    load: (id) => (id === ID ? DESIGN_TOKENS : undefined),
  }
}
