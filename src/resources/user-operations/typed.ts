/** What `npx openapi-typescript contract.yaml -o contract.d.ts` generates for an operation, as far as handlers use it. */

/** An operation without generated types. */
export interface UntypedOperation {
  readonly parameters: {
    readonly path: Readonly<Record<string, string | number | bigint | boolean>>
    readonly query: Readonly<Record<string, string | number | bigint | boolean | undefined>>
  }
  // Without generated types, users cast what they read.
  readonly requestBody?: { readonly content: { readonly 'application/json': Record<string, unknown> } }
  readonly responses: { readonly default: { readonly content: { readonly 'application/json': unknown } } }
}

type ParameterPlace = 'path' | 'query'

/** No parameter has a name of this type. */
type None = Readonly<Record<string, never>>

/** The parameters of one location by name. */
export type ParametersOf<Operation, Place extends ParameterPlace> = Operation extends {
  readonly parameters: Readonly<Partial<Record<Place, infer Values>>>
}
  ? [NonNullable<Values>] extends [never]
    ? None
    : Frozen<NonNullable<Values>>
  : None

/** The body of a request; undefined where there may be none. */
export type BodyOf<Operation> = Operation extends { readonly requestBody: { readonly content: infer Content } }
  ? RequestContent<Content>
  : Operation extends { readonly requestBody?: { readonly content: infer Content } }
    ? unknown extends Content
      ? undefined
      : RequestContent<Content> | undefined
    : undefined

/** JSON as the contract types it; for other media types what the server parsed. */
type RequestContent<Content> = [JsonKey<Content>] extends [never]
  ? string | Uint8Array | Readonly<Record<string, unknown>>
  : JsonOf<Content>

/** The responses that the contract documents: each status with its body. */
export type AnswerOf<Operation, Rest> = Operation extends { readonly responses: infer Responses }
  ? { [Status in keyof Responses]: Answer<Status, Responses[Status], Rest> }[keyof Responses]
  : never

type Answer<Status, Response, Rest> = Rest & { readonly status: StatusOf<Status> } & (Response extends {
    readonly content: infer Content
  }
    ? TypedBody<Content>
    : { readonly body?: undefined })

/** A body is optional where the contract has no schema for it. Other media types than JSON are sent as they are, with their `contentType`. */
type TypedBody<Content> = [Content] extends [never]
  ? { readonly body?: undefined }
  : JsonKey<Content> extends never
    ? { readonly body: string | Uint8Array; readonly contentType: string }
    : unknown extends JsonOf<Content>
      ? { readonly body?: unknown; readonly contentType?: string }
      : { readonly body: Frozen<JsonOf<Content>>; readonly contentType?: string }

/** `default`, and ranges such as `4XX`, are any status. */
type StatusOf<Status> = Status extends number ? Status : number

type JsonKey<Content> = Extract<keyof Content, 'application/json' | `application/${string}+json`>
type JsonOf<Content> = Content[JsonKey<Content>]

/** Deeply read-only. */
type Frozen<Value> = Value extends string | number | bigint | boolean | null | undefined
  ? Value
  : Value extends object
    ? { readonly [Member in keyof Value]: Frozen<Value[Member]> }
    : Value
