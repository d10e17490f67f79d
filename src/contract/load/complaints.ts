import { StartupError } from '../../errors/problem.ts'

/** Collects what is wrong with a document, so that its author sees everything at once. */
export interface Complaints {
  /**
   * @param place `file:line`
   * @param consequence what happens to the part when the rest of the document is served
   */
  add(place: string, complaint: string, consequence?: string): void
  isEmpty(): boolean
  /** All complaints with their consequences. */
  notes(): readonly string[]
  /** @throws StartupError when there are any */
  refuse(): void
}

/** A refused document shows the first fifty. */
const MOST_COMPLAINTS = 50

export function createComplaints(): Complaints {
  const consequences = new Map<string, string>()
  return {
    add: (place, complaint, consequence = LEFT_OUT) => void consequences.set(`${place}: ${complaint}`, consequence),
    isEmpty: () => consequences.size === 0,
    notes: () => [...consequences].map((both) => both.join(' ')),
    refuse() {
      const complaints = [...consequences.keys()]
      const more = complaints.length - MOST_COMPLAINTS
      if (more > 0) throw new StartupError([...complaints.slice(0, MOST_COMPLAINTS), `… and ${more} more.`])
      if (more > -MOST_COMPLAINTS) throw new StartupError(complaints)
    },
  }
}

const LEFT_OUT = 'It is left out.'
