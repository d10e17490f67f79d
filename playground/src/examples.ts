import service from '../../spec/openapi.yaml'
import shop from '../../examples/shop/contract.yaml'
import tickets from '../../examples/tutorial/tickets.yaml'

/** Documents to begin with, by the name in the address: `#example=shop`. */
export const EXAMPLES = {
  tickets: { title: 'Tickets, a short one', text: tickets },
  shop: { title: 'A shop with references', text: shop },
  files: { title: 'File search and report schedules', text: service },
} as const

export function isExample(name: string | undefined): name is keyof typeof EXAMPLES {
  return name !== undefined && Object.hasOwn(EXAMPLES, name)
}
