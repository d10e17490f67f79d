import { chanceKey } from '../../../engine/random.ts'
import type { Handler } from '../../handler.ts'
import { refuseUnknownItem, instanceOf, prepareInstances } from '../operations/instance.ts'
import { validObject } from '../operations/respond.ts'
import type { OperationWork } from '../operations/work.ts'
import { createTokens } from './list.ts'
import { startTokenMember } from './pages/envelope-fillers.ts'
import { startToken } from './pages/list-token.ts'

/** Handles `GET /changes/startPageToken`: with its token the list of `/changes` shows what is created later. */
export function createStartTokenHandler({ plan, document }: OperationWork): Handler {
  const tokensOf = createTokens()
  const { operation, output } = plan
  const { status, schema } = output
  const member = startTokenMember(document, schema) ?? ''
  return {
    takesNothing: true,
    prepare: (state, path) => prepareInstances(state, plan, path),
    normalizeBody: (body) => body,
    assertExists: (state, call) => refuseUnknownItem(state, plan, call),
    read: (state, call) => ({
      violations: [],
      decide() {
        const { name, documents } = instanceOf(state, plan, call)
        const known = { [member]: startToken(tokensOf(state.seed), name, documents?.made ?? 0) }
        const fitting = { document, schema, now: call.now, key: chanceKey(state.seed, name) }
        const json = validObject(known, { ...fitting, check: (made) => operation.checkResponse(status, made) })
        return { status, body: { json }, events: [] }
      },
    }),
  }
}
