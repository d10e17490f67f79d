import { isThere } from '../base/formats/source-file.ts'

/** Whether this is a container: Docker's, Podman's, a pod of Kubernetes, or any other in which this is the first process. */
export function isContainer(): boolean {
  const isMarked = isThere('/.dockerenv') || isThere('/run/.containerenv')
  return isMarked || process.env.KUBERNETES_SERVICE_HOST !== undefined || process.pid === 1
}
