import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { designTokens } from '../design-tokens.ts'

/** The page of the API docs, apart from the console since its library is ten times as large. Built into `dist/docs`. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, since users mount the app under paths of their own.
  base: './',
  plugins: [designTokens()],
  publicDir: false,
  build: {
    outDir: '../../dist/docs',
    emptyOutDir: true,
    assetsDir: 'docs',
    // Content in `data:` addresses would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // It is one library.
    chunkSizeWarningLimit: 2000,
  },
})
