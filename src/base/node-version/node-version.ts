/** This file runs on any Node, so that an unsupported one gets a message. */
const OLDEST = '22.18'

/** What to tell a Node that is too old; undefined otherwise. */
export function complaintOfOldNode(): string | undefined {
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST.split('.').map(Number)
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return `standin needs Node ${OLDEST} or later; this is ${node}. Run npm i -D node@24 in your project, install one from https://nodejs.org, or use the Docker image.`
}
