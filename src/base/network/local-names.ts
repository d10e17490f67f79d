/** Whether a server that listens on this name or address can be reached from this machine only. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}

/** Whether an IP address is one of the loopback interface. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address)
}

/** `localhost` and the addresses that stand for it, as `URL` writes host names. */
export function isLocalName(name: string): boolean {
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || name.endsWith('.localhost')
}
