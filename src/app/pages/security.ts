/** What a page may load: its own files, and responses of this server. Content from clients cannot run. */
export function securityHeaders(style: string, script = "'self'"): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${style}`,
    "img-src 'self' data:",
    `connect-src ${script}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
}
