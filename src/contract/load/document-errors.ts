import { StartupError } from '../../base/errors/problem.ts'

/** Collects what is wrong with a document, so that its author sees everything at once. */
export interface DocumentErrors {
  /**
   * @param place `file:line`
   * @param consequence what happens to the part when the rest of the document is served
   */
  add(place: string, message: string, consequence?: string): void
  isEmpty(): boolean
  /** All messages with their consequences. */
  notes(): readonly string[]
  /** @throws StartupError if there are any */
  throwIfAny(): void
}

/** More are only counted. */
const MAX_SHOWN = 50

export function createDocumentErrors(): DocumentErrors {
  const consequences = new Map<string, string>()
  return {
    add: (place, message, consequence = 'It is left out.') =>
      void consequences.set(`${place}: ${message}`, consequence),
    isEmpty: () => consequences.size === 0,
    notes: () => [...consequences].map((both) => both.join(' ')),
    throwIfAny() {
      const messages = [...consequences.keys()]
      const more = messages.length - MAX_SHOWN
      if (more > 0) throw new StartupError([...messages.slice(0, MAX_SHOWN), `… and ${more} more.`])
      if (messages.length > 0) throw new StartupError(messages)
    },
  }
}

export function didYouMean(meant: string | undefined): string | undefined {
  return meant === undefined ? undefined : `Did you mean ${JSON.stringify(meant)}?`
}
