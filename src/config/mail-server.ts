/** Whether a text is the address of a mail server: `smtp://` or `smtps://`, perhaps a user and a password, a host, perhaps a port. */
export function isMailServer(address: string): boolean {
  const url = URL.parse(address)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false
  return /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
}

/** Such an address, or what was meant as one, as it may be shown: whatever could be a password is left out. */
export function withoutPassword(address: string): string {
  return address
    .replace(/[?#].*$/s, '?…')
    .replace(/^([^/]*\/\/)?.*@/s, '$1…@')
    .replaceAll(/:(?!\/\/|\d{1,5}(?:\/|$))[^/]*/g, ':…')
}
