import { createLookup } from '../../contract/pointer.ts'
import { asList, asObject, isObject, type Members, stringifyJson } from '../../base/formats/json.ts'
import { askedValue } from '../../values/asked/asked-value.ts'
import { generateValue, type ValueStyle } from '../../values/generate-value.ts'

interface CompletionRequest {
  readonly body: Members
  /** Of everything random. */
  readonly key: number
  /** Epoch ms. */
  readonly now: number
}

/** What the model says, before it has a shape. */
export interface ModelReply {
  /** The text in tokens: a word with the spaces before it. Empty where a tool is called. */
  readonly tokens: readonly string[]
  readonly tool: { readonly id: string; readonly name: string; readonly input: unknown } | undefined
  readonly end: 'stop' | 'length' | 'tool'
  readonly promptTokens: number
  /** Those of the text, or of the input of the tool. */
  readonly completionTokens: number
  readonly model: string
  /** Epoch seconds. */
  readonly created: number
}

const STYLE: ValueStyle = { examples: true, requiredOnly: false, turn: 0 }
/** A conversation has thousands; a response here has no more. */
const MOST_TOKENS = 2000

/**
 * What a language model says: a call of a tool where the request has tools, unless the last message is the result of one; JSON where that is
 * asked for; else sentences. Equal requests get equal completions.
 */
export async function complete({ body, key, now }: CompletionRequest): Promise<ModelReply> {
  const promptTokens = tokensOf(textIn([body.system, body.messages])).length
  const shared = { promptTokens, model: String(body.model), created: Math.floor(now / 1000) }
  const wanted = toolOf(body)
  if (wanted) {
    const input = (await valueOf(wanted.schema, { key, now })) ?? {}
    const completionTokens = tokensOf(stringifyJson(input)).length
    const tool = { id: `call_${(key >>> 0).toString(36)}`, name: wanted.name, input }
    return { ...shared, tokens: [], tool, end: 'tool', completionTokens }
  }
  const whole = cutAt(await textFor(body, { key, now }), [body.stop ?? body.stop_sequences].flat())
  const limit = [body.max_completion_tokens, body.max_tokens].find((one) => typeof one === 'number')
  const tokens = tokensOf(whole).slice(0, Math.min(limit ?? MOST_TOKENS, MOST_TOKENS))
  const end = tokens.length < tokensOf(whole).length ? 'length' : 'stop'
  return { ...shared, tokens, tool: undefined, end, completionTokens: tokens.length }
}

function tokensOf(text: string): string[] {
  return text.match(/\s*\S+/g) ?? []
}

/** All texts of messages, which may be blocks. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return `${value} `
  if (Array.isArray(value)) return value.map(textIn).join('')
  return isObject(value) ? textIn([value.content, value.text]) : ''
}

function cutAt(text: string, stops: readonly unknown[]): string {
  const at = stops.flatMap((stop) =>
    typeof stop === 'string' && stop !== '' && text.includes(stop) ? [text.indexOf(stop)] : [],
  )
  return at.length === 0 ? text : text.slice(0, Math.min(...at))
}

async function textFor(
  { response_format: format, messages }: Members,
  source: Omit<CompletionRequest, 'body'>,
): Promise<string> {
  const { type, json_schema: asked } = asObject(format)
  if (type === 'json_schema') return stringifyJson((await valueOf(asObject(asked).schema, source)) ?? {})
  if (type === 'json_object') return stringifyJson({ messages: asList(messages).length })
  const schema = { 'x-faker': 'lorem.paragraph' }
  return String(askedValue({ schema, name: '', owner: '', seed: source.key >>> 1, now: source.now }))
}

function valueOf(schema: unknown, { key, now }: Omit<CompletionRequest, 'body'>): Promise<unknown> {
  const document = { schema: isObject(schema) ? schema : { type: 'object' } }
  return generateValue({ lookup: createLookup(document), key, now }, '/schema', STYLE)
}

/** The tool that is called: the one that the request chooses, or the first, unless its result was sent. */
function toolOf({ tools, tool_choice: choice, messages }: Members) {
  const named = asList(tools).map((tool) => {
    const { function: nested, name, parameters, input_schema: schema } = asObject(tool)
    const own = isObject(nested) ? nested : { name, parameters: parameters ?? schema }
    return { name: String(own.name), schema: own.parameters }
  })
  const { role, content } = asObject(asList(messages).at(-1))
  const isResult = role === 'tool' || asList(content).some((block) => asObject(block).type === 'tool_result')
  if (named.length === 0 || choice === 'none' || asObject(choice).type === 'none' || isResult) return undefined
  const chosen = asObject(asObject(choice).function).name ?? asObject(choice).name
  return named.find(({ name }) => name === chosen) ?? named[0]
}
