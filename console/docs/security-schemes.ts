/** A security scheme of a contract that the page can fill in. */
export interface SecurityScheme {
  readonly name: string
  readonly isBasic: boolean
}

/** The schemes that take one key: API keys, bearer tokens and basic credentials. */
export function schemesOf(contract: object): readonly SecurityScheme[] {
  const { components } = contract as { readonly components?: { readonly securitySchemes?: Record<string, Scheme> } }
  return Object.entries(components?.securitySchemes ?? {})
    .filter(([, { type }]) => type === 'apiKey' || type === 'http')
    .map(([name, { scheme }]) => ({ name, isBasic: scheme?.toLowerCase() === 'basic' }))
}

interface Scheme {
  readonly type?: string
  readonly scheme?: string
}
