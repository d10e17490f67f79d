import { injectBefore, type InjectionDependencies, loseAnswer, mayBeFaulty } from '../../faults/inject-fault.ts'
import { type Middleware, whenSandboxIsFree } from '../request-context.ts'

/** Waits while the sandbox's clock is advanced, then injects the faults that strike before a request is handled. */
export function injectFaultsBefore(deps: InjectionDependencies): Middleware {
  return (_request, { locals: { context } }, next) => {
    if (!context.sandbox.isBusy && !mayBeFaulty(context)) {
      next()
      return
    }
    const inject = async () => {
      if (context.sandbox.isBusy) await whenSandboxIsFree(context)
      return mayBeFaulty(context) && (await injectBefore(context, deps))
    }
    inject().then((isEnded) => {
      if (!isEnded) next()
    }, next)
  }
}

/** Injects the faults that strike once the changes are stored: the response is lost. */
export function injectFaultsAfter(): Middleware {
  return (_request, { locals: { context } }, next) => {
    if (!context.faults || !loseAnswer(context, context.outcome)) next()
  }
}
