/** This file runs on any Node, so that an unsupported one gets a message. */
const OLDEST = 24

/** What to tell a Node that is too old; undefined otherwise. */
export function complaintOfOldNode(): string | undefined {
  const { node } = process.versions
  if (Number(node.split('.')[0]) >= OLDEST) return undefined
  return `standin needs Node ${OLDEST} or later; this is ${node}. Install a newer one from https://nodejs.org, or use the Docker image.`
}
