import { complaintOfOldNode } from './node-version.ts'

/** Imported before everything else in the library, since the rest of it fails on an old Node with errors that say nothing. */
const complaint = complaintOfOldNode()
if (complaint !== undefined) throw new Error(complaint)
