import { expectTypeOf, test } from 'vitest'
import type { createReport } from '../../src/journal/coverage/report.ts'
import type { createHar } from '../../src/journal/har.ts'
import type { Expectations, verify } from '../../src/journal/journal-routes.ts'
import type { ExchangeMatch } from '../../src/journal/match-exchange.ts'
import type { ShownExchange } from '../../src/journal/show-exchange.ts'
import type { Miss } from '../../src/journal/verify-matches.ts'
import type * as wire from '../../types/control-api.d.ts'

/** What the steps of a long work come to. */
type ResultOf<Work extends (...args: never) => Generator> =
  ReturnType<Work> extends Generator<unknown, infer Result> ? Result : never

// The rooms below the control API have types of their own. The compiler proves here that both agree.

test('what the journal shows is what the contract of the control API says', () => {
  expectTypeOf<ShownExchange>().toExtend<wire.ExchangeRecord>()
  expectTypeOf<ReturnType<typeof createHar>>().toExtend<wire.Har>()
  expectTypeOf<ResultOf<typeof createReport>>().toExtend<wire.CoverageReport>()
  expectTypeOf<ResultOf<typeof verify>>().toExtend<wire.Verification>()
  expectTypeOf<Miss>().toEqualTypeOf<wire.Miss>()
})

test('the journal matches whatever the contract of the control API allows to match', () => {
  expectTypeOf<wire.ExchangeMatch>().toExtend<ExchangeMatch>()
  expectTypeOf<wire.VerifyRequest>().toExtend<Expectations>()
  expectTypeOf<ExchangeMatch>().toExtend<wire.ExchangeMatch>()
})
