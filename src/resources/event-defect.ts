import { Defect } from '../errors/problem.ts'

/** What is wrong with an event that a handler of the user's own wants to happen. */
export class EventDefect extends Defect {}
