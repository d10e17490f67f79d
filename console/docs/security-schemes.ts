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

/** The contract with a bearer token in place of OAuth 2.0 and OpenID Connect, whose servers the stand-in is not. */
export function withBearerTokens<Document extends object>(contract: Document): Document {
  const { components = {} } = contract as {
    readonly components?: { readonly securitySchemes?: Record<string, Scheme> }
  }
  const schemes = Object.entries(components.securitySchemes ?? {}).map(([name, scheme]) => [
    name,
    scheme.type === 'oauth2' || scheme.type === 'openIdConnect'
      ? { ...BEARER, description: scheme.description }
      : scheme,
  ])
  return { ...contract, components: { ...components, securitySchemes: Object.fromEntries(schemes) as object } }
}

const BEARER = { type: 'http', scheme: 'bearer' }

interface Scheme {
  readonly description?: string
  readonly type?: string
  readonly scheme?: string
}
