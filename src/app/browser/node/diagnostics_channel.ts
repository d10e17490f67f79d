/** Nobody traces the router in a page. */
export const tracingChannel = undefined
