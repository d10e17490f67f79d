#!/usr/bin/env node
/** The command line. This file runs on any Node, so that an unsupported one gets a message. */
import { complaintOfOldNode } from './base/node-version/node-version.ts'

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
