/** Parts of a request that a service may refuse: see `findUses`. */
export type Uses = readonly string[]

/** The id, if the condition holds. */
export function when(condition: boolean, id: string): Uses {
  return condition ? [id] : []
}

/** The amount, if it is more than one, which every service takes. */
export function whenMany(amount: number, id: string): Uses {
  return amount > 1 ? [`${id}:${amount}`] : []
}
