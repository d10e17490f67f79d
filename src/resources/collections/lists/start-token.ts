import type { Handler } from '../../handler.ts'
import { instanceOf, itemHandler } from '../operations/instance.ts'
import { respondWithFacts } from '../operations/respond.ts'
import type { OperationWork } from '../operations/work.ts'
import { createTokens } from './list.ts'
import { startTokenMember } from './pages/envelope-fillers.ts'
import { startToken } from './pages/list-token.ts'

/** Handles `GET /changes/startPageToken`: with its token the list of `/changes` shows what is created later. */
export function createStartTokenHandler(work: OperationWork): Handler {
  const { plan, document } = work
  const tokensOf = createTokens()
  const member = startTokenMember(document, plan.output.schema) ?? ''
  return {
    ...itemHandler(plan),
    read: (state, call) => ({
      violations: [],
      decide() {
        const { name, documents } = instanceOf(state, plan, call)
        const known = { [member]: startToken(tokensOf(state.seed), name, documents?.made ?? 0) }
        return respondWithFacts(work, known, { state, call, name })
      },
    }),
  }
}
