#!/usr/bin/env node
/** The command line. This file is plain enough for any Node, so that one too old can be told so in one line. */
import { complaintOfOldNode } from './cli/node-version.ts'

const complaint = complaintOfOldNode()

if (complaint !== undefined) {
  process.stderr.write(`${complaint}\n`)
  process.exitCode = 1
} else {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache()
  const { run } = await import('./cli/run.ts')
  await run(process.argv)
}
