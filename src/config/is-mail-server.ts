/** Whether a text is the address of a mail server: `smtp://` or `smtps://`, perhaps a user and a password, a host, perhaps a port. */
export function isMailServer(address: string): boolean {
  const url = URL.parse(address)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false
  return /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
}
