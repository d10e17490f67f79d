/** A value that is there at once, or later. Where it is there at once, nothing waits. */
export type Awaitable<Value> = Value | Promise<Value>
