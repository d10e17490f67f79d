#!/usr/bin/env node
/** The command line. This file is plain enough for any Node, so that one too old can be told so in one line. */
const [major = 0] = process.versions.node.split('.').map(Number)

if (major < 24) {
  process.stderr.write(
    `standin needs Node 24 or later; this is ${process.versions.node}. Install a newer one from https://nodejs.org, or use the Docker image.\n`,
  )
  process.exitCode = 1
} else {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  const { run } = await import('./cli/run.ts')
  await run(process.argv)
}
