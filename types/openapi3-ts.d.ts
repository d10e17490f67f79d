/** The types that `@stoplight/http-spec` borrows of a package whose sources our compiler would check in place of its types. */
export type OpenAPIObject = object
export type PathItemObject = object
export type OperationObject = object
export type ParameterLocation = string
