/**
 * Writes `dist/types/index.d.ts`: every type that the library exports, in one file that imports nothing but Node's own modules, so
 * that users can compile against it with `skipLibCheck: false` and without the packages that are bundled in `dist/`.
 */
import { copyFileSync, rmSync } from 'node:fs'
import { type Plugin, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

rmSync('dist/types', { recursive: true, force: true })
const bundle = await rolldown({
  input: {
    index: 'src/index.ts',
    vitest: 'src/testing/vitest.ts',
    playwright: 'src/testing/playwright.ts',
    'node-test': 'src/testing/node-test.ts',
    msw: 'src/testing/msw.ts',
  },
  // Types of packages would stay as imports; the test of the packed package fails if one does.
  external: /^[^./\0]/,
  plugins: [dts({ emitDtsOnly: true, tsconfig: 'tsconfig.build.json' }), withoutOwnAugmentations()],
  logLevel: 'warn',
  onLog(level, log, print) {
    if (!log.message.includes('Relative module declaration')) print(level, log)
  },
})
await bundle.write({ dir: 'dist/types', format: 'esm' })
// The types of the default contract, for its clients: `standin/contract`.
copyFileSync('types/contract.d.ts', 'dist/types/contract.d.ts')

/** Parts of the engine's interfaces that other folders add (`declare module '../engine/state.ts'`): no exported type shows them. */
function withoutOwnAugmentations(): Plugin {
  return {
    name: 'without-own-augmentations',
    renderChunk: (code) => code.replaceAll(/^declare module ['"]\.[^]*?^\}\n/gm, ''),
  }
}
