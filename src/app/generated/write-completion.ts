import { asList, asObject, isObject, mapMembers, type Members, stringifyJson } from '../../base/formats/json.ts'
import type { ModelReply } from './completion.ts'
import type { CompletionShape } from './completion-shape.ts'

/**
 * A response of the document, with what the model says in the place of what was made up: the plainest first, for the document may want more
 * of it.
 */
export function* responsesOf(shape: CompletionShape, said: ModelReply, made: Members): Generator<Members> {
  for (const base of [quiet(made), made])
    if (shape === 'choices') yield withChoices(said, base)
    else for (const block of blocksOf(said)) yield asMessage(said, block, base)
}

/** Without what was made up beside the message: it would contradict it. */
function quiet(made: Members): Members {
  return mapMembers(made, (value, name) =>
    name === 'usage' ? zeroed(value) : name === 'id' || name === 'choices' ? value : null,
  )
}

function zeroed(value: unknown): unknown {
  if (isObject(value)) return mapMembers(value, zeroed)
  return typeof value === 'number' ? 0 : value
}

function* blocksOf({ tokens, tool }: ModelReply): Generator<Members> {
  const block = tool ? { type: 'tool_use', ...tool } : { type: 'text', text: tokens.join('') }
  yield block
  yield tool ? { ...block, caller: { type: 'direct' } } : { ...block, citations: null }
}

/** The same as server-sent events, as clients of such services read them. */
export function asEvents(
  shape: CompletionShape,
  said: ModelReply,
  { id, body }: { readonly id: string; readonly body: Members },
): string {
  return shape === 'choices' ? chunks(said, { id, body }) : messageEvents(said, id)
}

const ENDS = {
  choices: { stop: 'stop', length: 'length', tool: 'tool_calls' },
  message: { stop: 'end_turn', length: 'max_tokens', tool: 'tool_use' },
} as const

/** Members of a message that say something else than its text. */
const OTHERS = ['function_call', 'tool_calls', 'refusal', 'audio', 'annotations', 'reasoning', 'reasoning_content']

function withChoices(said: ModelReply, base: Members): Members {
  const { tokens, tool, end, model, created } = said
  const [first] = asList(base.choices).map(asObject)
  const others = Object.entries(asObject(first?.message)).filter(([name]) => !OTHERS.includes(name))
  const message = {
    ...Object.fromEntries(others),
    role: 'assistant',
    content: tool ? null : tokens.join(''),
    ...('refusal' in asObject(first?.message) ? { refusal: null } : {}),
    ...(tool ? { tool_calls: [toolCall(tool)] } : {}),
  }
  return {
    ...base,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        ...first,
        index: 0,
        message,
        ...(first && 'logprobs' in first ? { logprobs: null } : {}),
        finish_reason: ENDS.choices[end],
      },
    ],
    usage: { ...asObject(base.usage), ...usageOf(said) },
  }
}

function toolCall({ id, name, input }: NonNullable<ModelReply['tool']>): Members {
  return { id, type: 'function', function: { name, arguments: stringifyJson(input) } }
}

function usageOf({ promptTokens, completionTokens }: ModelReply): Members {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}

function asMessage({ end, model, promptTokens, completionTokens }: ModelReply, block: Members, base: Members): Members {
  return {
    ...base,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: ENDS.message[end],
    stop_sequence: null,
    usage: { ...asObject(base.usage), input_tokens: promptTokens, output_tokens: completionTokens },
  }
}

function chunks(said: ModelReply, { id, body }: { readonly id: string; readonly body: Members }): string {
  const { tokens, tool, end, model, created } = said
  const isCounted = asObject(body.stream_options).include_usage === true
  const head = { id, object: 'chat.completion.chunk', created, model }
  const of = (delta: Members, finish: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(isCounted ? { usage: null } : {}),
  })
  const called = tool && { index: 0, ...toolCall(tool) }
  const parts = tool
    ? [
        of({
          role: 'assistant',
          content: null,
          tool_calls: [{ ...called, function: { name: tool.name, arguments: '' } }],
        }),
        ...piecesOf(stringifyJson(tool.input)).map((text) =>
          of({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
        ),
      ]
    : [of({ role: 'assistant', content: '' }), ...tokens.map((content) => of({ content }))]
  const last = isCounted ? [{ ...head, choices: [], usage: usageOf(said) }] : []
  const all = [...parts, of({}, ENDS.choices[end]), ...last]
  return `${all.map((one) => `data: ${stringifyJson(one)}\n\n`).join('')}data: [DONE]\n\n`
}

function messageEvents(said: ModelReply, id: string): string {
  const { tokens, tool, end, model, promptTokens, completionTokens } = said
  const start = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null }
  const block = tool ? { type: 'tool_use', id: tool.id, name: tool.name, input: {} } : { type: 'text', text: '' }
  const deltas = tool
    ? piecesOf(stringifyJson(tool.input)).map((text) => ({ type: 'input_json_delta', partial_json: text }))
    : tokens.map((text) => ({ type: 'text_delta', text }))
  const all = [
    { type: 'message_start', message: { ...start, usage: { input_tokens: promptTokens, output_tokens: 0 } } },
    { type: 'content_block_start', index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: ENDS.message[end], stop_sequence: null },
      usage: { output_tokens: completionTokens },
    },
    { type: 'message_stop' },
  ]
  return all.map((one) => `event: ${one.type}\ndata: ${stringifyJson(one)}\n\n`).join('')
}

/** The input of a tool comes in parts that are no JSON by themselves. */
function piecesOf(text: string): readonly string[] {
  return text.match(/.{1,12}/gsu) ?? []
}
