import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { designTokens } from './design-tokens.ts'

/** The console: a page that uses the control API of its server. Built into `dist/console`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, since users mount the app under paths of their own.
  base: './',
  plugins: [designTokens()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    // @tanstack/react-virtual is written for React.
    alias: { react: 'preact/compat', 'react-dom': 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime' },
  },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    assetsDir: 'console',
    // Content in `data:` addresses would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
