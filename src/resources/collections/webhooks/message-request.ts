import { bareType, isJson } from '../../../contract/media-type.ts'
import { plainName } from '../../../base/formats/names.ts'
import { asObject, asText, stringifyJson } from '../../../base/formats/json.ts'
import type { WebhookPlan } from './webhook-plan.ts'

const FORM = 'application/x-www-form-urlencoded'

/** A body as it is sent, with its media type: a form as a form, and everything else as JSON. */
export function writeBody(value: unknown, mediaType = 'application/json') {
  if (bareType(mediaType) === FORM) return { body: formOf(value), contentType: FORM }
  return { body: stringifyJson(value), contentType: isJson(mediaType) ? mediaType : 'application/json' }
}

function formOf(value: unknown): string {
  const fields = Object.entries(asObject(value)).map(([name, one]): [string, string] => [
    name,
    typeof one === 'object' ? stringifyJson(one) : asText(one as string),
  ])
  return new URLSearchParams(fields).toString()
}

/** An address with the parameters that the document gives a value. */
export function withQuery(url: string, query: WebhookPlan['query']): string {
  const parsed = URL.parse(url)
  if (!parsed || Object.keys(query).length === 0) return url
  for (const [name, value] of Object.entries(query)) parsed.searchParams.append(name, value)
  return parsed.href
}

/** The headers of the document. One without a value names the event, or the message. */
export function headersFor(
  headers: WebhookPlan['headers'],
  message: { readonly event: string; readonly id: string },
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, { values, isRequired }]): [string, string][] => {
      if (/event|topic/.test(name)) {
        const named = values.find((one) => plainName(one) === plainName(message.event))
        return [[name, named ?? values[0] ?? message.event]]
      }
      if (values[0] !== undefined) return [[name, values[0]]]
      return isRequired || /(delivery|request|message|webhook)-?(id|uuid)?$/.test(name) ? [[name, message.id]] : []
    }),
  )
}
