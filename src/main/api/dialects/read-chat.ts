import { z } from 'zod'
import {
  buildHistory,
  readArguments,
  readPicture,
  refuseField,
  type ApiRequest,
  type HistoryBuilder,
} from '../api-request.ts'
import {
  checkNames,
  findUnused,
  isNothing,
  joinParts,
  loose,
  ModelName,
  Name,
  parseBody,
  readChoice,
  readEffort,
  readSampling,
  readStops,
  readTool,
  samplingFields,
  Schema,
  StopTexts,
  TokenCount,
} from './read-fields.ts'

const Part = loose({
  type: z.string(),
  text: z.string().optional(),
  refusal: z.string().optional(),
  image_url: z.union([z.string(), loose({ url: z.string() })]).optional(),
})
const Content = z.union([z.string(), z.array(Part)]).nullish()
/** Some programs send the arguments of an earlier call as an object. */
const Arguments = z.union([z.string(), z.record(z.string(), z.unknown())]).nullish()
const Call = loose({ id: Name, function: loose({ name: Name, arguments: Arguments }) })
const ChatMessage = z.discriminatedUnion('role', [
  loose({ role: z.enum(['system', 'developer']), content: Content }),
  loose({ role: z.literal('user'), content: Content }),
  loose({ role: z.literal('assistant'), content: Content, tool_calls: z.array(Call).nullish() }),
  loose({ role: z.literal('tool'), content: Content, tool_call_id: Name }),
])

const ChatBody = loose({
  model: ModelName,
  messages: z.array(ChatMessage).min(1),
  stream: z.boolean().nullish(),
  stream_options: loose({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: TokenCount,
  max_completion_tokens: TokenCount,
  stop: StopTexts,
  tools: z
    .array(
      loose({
        type: z.string(),
        function: loose({
          name: Name,
          description: z.string().nullish(),
          parameters: z.unknown().optional(),
        }).optional(),
      }),
    )
    .nullish(),
  tool_choice: z.unknown().optional(),
  response_format: loose({
    type: z.string(),
    json_schema: loose({ schema: Schema.optional() }).optional(),
  }).nullish(),
  reasoning_effort: z.string().nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  n: z.int().nullish(),
  ...samplingFields,
})

/** Fields that do not affect the answer, such as the user's id. */
const WITHOUT_EFFECT = ['user', 'metadata', 'store', 'safety_identifier', 'prompt_cache_key', 'service_tier']

/** A chat request; `includeUsage`: send the usage after a streamed answer. */
export type ChatAsked = ApiRequest & { includeUsage: boolean }

/** Read a body of `/v1/chat/completions`. */
export function readChat(given: unknown): ChatAsked {
  const body = parseBody(ChatBody, given)
  if ((body.n ?? 1) !== 1) refuseField('n', 'Only one answer per request is supported.')
  for (const field of ['functions', 'function_call', 'audio', 'logit_bias'])
    if (!isNothing(body[field])) refuseField(field, `“${field}” is not supported.`)
  if (body['logprobs'] === true) refuseField('logprobs', 'Token probabilities are not available.')
  const history = buildHistory()
  for (const [at, message] of body.messages.entries()) addMessage(history, message, `messages.${at}`)
  const tools = checkNames(
    (body.tools ?? []).map(({ type, function: tool }, at) => {
      if (type !== 'function' || !tool)
        return refuseField(`tools.${at}`, `Tools of the type “${type}” do not exist here.`)
      return readTool(tool.name, tool.description, tool.parameters, `tools.${at}`)
    }),
  )
  return {
    model: body.model,
    system: history.systemText(),
    history: history.messages,
    pictures: history.pictures,
    tools,
    choice: readChoice(body.tool_choice, tools),
    isSingle: body.parallel_tool_calls === false,
    schema: schemaOf(body.response_format),
    maxTokens: body.max_completion_tokens ?? body.max_tokens,
    stops: readStops(body.stop),
    sampling: readSampling(body),
    thinking: readEffort(body.reasoning_effort),
    stream: body.stream === true,
    includeUsage: body.stream_options?.include_usage === true,
    unused: findUnused(body, ChatBody, {
      ignored: WITHOUT_EFFECT,
      inside: { stream_options: ['include_usage'] },
    }),
  }
}

function schemaOf(format: z.output<typeof ChatBody>['response_format']): Record<string, unknown> | undefined {
  if (!format || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'object' }
  if (format.type !== 'json_schema')
    return refuseField('response_format', `“${format.type}” is not a supported answer format.`)
  return (
    format.json_schema?.schema ?? refuseField('response_format.json_schema.schema', 'The schema is missing.')
  )
}

function addMessage(history: HistoryBuilder, message: z.output<typeof ChatMessage>, field: string) {
  const { text, pictures } = joinParts(message.content, (part, at) =>
    readPart(part, `${field}.content.${at}`),
  )
  switch (message.role) {
    case 'system':
    case 'developer':
      return history.addSystem(text)
    case 'user':
      return history.addUser(text, pictures, field)
    case 'assistant': {
      const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: written } }) => ({
        id,
        name,
        arguments: typeof written === 'string' ? readArguments(written) : (written ?? {}),
      }))
      return history.addAssistant(text, calls)
    }
    case 'tool':
      return history.addResult(message.tool_call_id, text, pictures, field)
  }
}

function readPart({ type, text, refusal, image_url: image }: z.output<typeof Part>, field: string) {
  if (type === 'text' || type === 'refusal') return text ?? refusal ?? ''
  if (type === 'image_url' && image !== undefined)
    return readPicture(typeof image === 'string' ? image : image.url, field)
  return refuseField(field, `Parts of the type “${type.slice(0, 40)}” cannot be read here.`)
}
