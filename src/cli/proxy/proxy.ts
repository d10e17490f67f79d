import { readTimeout } from '../flags.ts'
import { createLog, QUIET, stopOnSignals } from '../serve/serve.ts'
import { loadSettings } from '../settings.ts'
import { CONTROL_PATH } from '../../control/path.ts'
import { counted } from '../../base/errors/wording.ts'
import { isPackaged } from '../../base/formats/source-file.ts'
import { isOwnContract } from '../../config/config.ts'
import { createProxy } from '../../truth/proxy/create-proxy.ts'
import { createUpstream } from '../../truth/proxy/upstream.ts'

export interface ProxyFlags {
  readonly upstream: string
  readonly timeout: string
  readonly record?: string
  readonly shadow?: boolean
}

/** `standin proxy`: forwards requests to a service until it is stopped. */
export async function proxy({ upstream: address, timeout, record, shadow, ...flags }: ProxyFlags): Promise<void> {
  const upstream = createUpstream(address, readTimeout(timeout, 1))
  const config = await loadSettings(flags)
  // The built-in service may be what is recorded, or may not.
  const isOther = !isOwnContract(config) && shadow !== true
  const log = await createLog(config.log)
  const standin = createProxy(config, { upstream, record, shadow, isOther, log, quiet: QUIET })
  const url = await standin.start()
  stopOnSignals(standin)
  log.started({
    url,
    summary: `forwarding to ${upstream.name}, ${isOther ? 'without a contract, so only operations of the built-in one are checked' : `checked against ${typeof config.contract === 'string' ? config.contract : 'the built-in contract'}: ${counted(standin.operations.length, 'operation')}`}`,
    milliseconds: Math.round(process.uptime() * 1000),
    console: config.control && isPackaged('dist/console/index.html') ? `${url}${CONTROL_PATH}/` : undefined,
    example: `curl -i ${url}/ -H 'X-Mock-Violations: true'`,
  })
}
