export { STATUS_CODES } from 'standin:packaged'

/** In lower case they are the methods of a router. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\u0020-\u007E\u0080-\u00FF]*$/

export function validateHeaderName(name: string): void {
  if (!NAME.test(name)) throw new TypeError(`Header name must be a valid HTTP token ["${name}"]`)
}

export function validateHeaderValue(name: string, value: string): void {
  if (!VALUE.test(value)) throw new TypeError(`Invalid character in header content ["${name}"]`)
}
