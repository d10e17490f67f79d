/** The parts of Swagger UI that the page uses; the package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export interface SwaggerRequest {
    readonly url: string
    headers: Record<string, string>
  }

  export interface SwaggerUi {
    preauthorizeApiKey(scheme: string, key: string): void
    preauthorizeBasic(scheme: string, user: string, password: string): void
  }

  export interface SwaggerOptions {
    readonly domNode: Element
    readonly spec: object
    readonly deepLinking?: boolean
    readonly docExpansion?: 'list' | 'none'
    readonly defaultModelsExpandDepth?: number
    readonly displayRequestDuration?: boolean
    readonly filter?: boolean
    readonly tryItOutEnabled?: boolean
    readonly validatorUrl?: null
    readonly requestSnippetsEnabled?: boolean
    readonly syntaxHighlight?: { readonly activated: boolean }
    requestInterceptor?(request: SwaggerRequest): SwaggerRequest
    onComplete?(): void
  }

  export default function SwaggerUI(options: SwaggerOptions): SwaggerUi
}

declare module '*.css'
