import { type ControlCall, type ControlRoutes, LIMIT, ok, readCount } from '../../../engine/control-route.ts'
import { violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { noWebhooks, webhookNotFound, webhookNotSent } from '../../../base/errors/resource-errors.ts'
import type { WebhookList, WebhookTarget } from '../../../../types/control-api.d.ts'
import { USUAL_SECRET } from './sign.ts'

const NONE: WebhookList = { target: null, secret: USUAL_SECRET, total: 0, forgotten: 0, lost: 0, webhooks: [] }

export const webhookRoutes: ControlRoutes = {
  async listWebhooks(call) {
    const limit = readCount(call, 'limit', LIMIT)
    const { event } = call.query
    const outbox = outboxOf(call)
    await outbox?.settled()
    return ok(outbox?.list(typeof event === 'string' ? event : undefined, limit) ?? NONE)
  },
  deleteWebhooks: (call) => ok({ removed: outboxOf(call)?.clear() ?? 0 }),
  setWebhookTarget(call) {
    const outbox = outboxOf(call)
    if (!outbox)
      throw noWebhooks({
        detail:
          'The contract describes no webhooks, so there is nothing to send. Add `webhooks` or `callbacks` to it, or an overlay that does.',
      })
    const { url } = call.body as WebhookTarget
    const why = outbox.setTarget(url)
    if (why !== undefined) {
      const expected = 'an http or https address of this machine, or of a host that --allow-callback names'
      throw requestInvalid([{ ...violation({ pointer: '/url' }, 'webhook-target', expected, url), message: why }])
    }
    return ok({ url: outbox.target } satisfies WebhookTarget)
  },
  async redeliverWebhook(call) {
    const id = String(call.path.webhookId)
    const record = await outboxOf(call)?.redeliver(id)
    if (typeof record === 'object') return ok(record)
    if (record !== undefined) throw webhookNotSent({ detail: `The webhook ${id} cannot be sent. ${record}` })
    throw webhookNotFound({
      detail: `The sandbox ${call.sandbox().name} has no webhook ${id}. GET /__mock/webhooks lists those that it keeps.`,
    })
  },
}

/** Undefined where the contract has no webhooks. */
function outboxOf(call: ControlCall) {
  const sandbox = call.sandbox()
  sandbox.now()
  return sandbox.webhooks
}
