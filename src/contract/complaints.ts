import { StartRefused } from '../problem.ts'

/** What is wrong with a document, gathered so that its author learns of everything at once. */
export interface Complaints {
  /** @param place `file:line` */
  add(place: string, complaint: string): void
  /** Whether there are none yet. */
  isEmpty(): boolean
  /** @throws StartRefused when there are any */
  refuse(): void
}

/** A document of a thousand faults is told fifty of them. */
const MOST_COMPLAINTS = 50

export function createComplaints(): Complaints {
  const told = new Set<string>()
  return {
    add: (place, complaint) => void told.add(`${place}: ${complaint}`),
    isEmpty: () => told.size === 0,
    refuse() {
      if (told.size === 0) return
      const more = told.size - MOST_COMPLAINTS
      const shown = [...told].slice(0, MOST_COMPLAINTS)
      throw new StartRefused(more > 0 ? [...shown, `… and ${more} more.`] : shown)
    },
  }
}
