import { StartRefused } from '../problem.ts'

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
  /** @throws StartRefused when there are any */
  refuse(): void
}

/** A document of a thousand faults is told fifty of them. */
const MOST_COMPLAINTS = 50

export function createComplaints(): Complaints {
  const told = new Map<string, string>()
  return {
    add: (place, complaint, consequence = LEFT_OUT) => void told.set(`${place}: ${complaint}`, consequence),
    isEmpty: () => told.size === 0,
    notes: () => cut([...told].map((both) => both.join(' '))),
    refuse() {
      if (told.size > 0) throw new StartRefused(cut([...told.keys()]))
    },
  }
}

const LEFT_OUT = 'It is left out.'

function cut(complaints: readonly string[]): readonly string[] {
  const more = complaints.length - MOST_COMPLAINTS
  return more > 0 ? [...complaints.slice(0, MOST_COMPLAINTS), `… and ${more} more.`] : complaints
}
