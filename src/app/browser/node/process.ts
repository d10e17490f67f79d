/** What the engine and the packages in its bundle use of `process`. */
export const process = {
  nextTick: (task: (...given: unknown[]) => void, ...given: unknown[]) => queueMicrotask(() => task(...given)),
  versions: { node: 'none, this is a page' },
  memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
  platform: 'browser',
  env: {},
  cwd: () => '/',
  stderr: { write: (text: string) => console.warn(text.trimEnd()) },
}
