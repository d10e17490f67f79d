import { StartupError } from '../../errors/problem.ts'

/** What is wrong with a document, gathered so that its author learns of everything at once. */
export interface Complaints {
  /**
   * @param place `file:line`
   * @param consequence what happens to the part when the rest of the document is served
   */
  add(place: string, complaint: string, consequence?: string): void
  /** Whether there are none yet. */
  isEmpty(): boolean
  /** All of them with their consequences. */
  notes(): readonly string[]
  /** @throws StartupError when there are any */
  refuse(): void
}

/** A refusal for a thousand faults tells fifty of them. */
const MOST_COMPLAINTS = 50

export function createComplaints(): Complaints {
  const told = new Map<string, string>()
  return {
    add: (place, complaint, consequence = LEFT_OUT) => void told.set(`${place}: ${complaint}`, consequence),
    isEmpty: () => told.size === 0,
    notes: () => [...told].map((both) => both.join(' ')),
    refuse() {
      const complaints = [...told.keys()]
      const more = complaints.length - MOST_COMPLAINTS
      if (more > 0) throw new StartupError([...complaints.slice(0, MOST_COMPLAINTS), `… and ${more} more.`])
      if (more > -MOST_COMPLAINTS) throw new StartupError(complaints)
    },
  }
}

const LEFT_OUT = 'It is left out.'
