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
  readTool,
  samplingFields,
  Schema,
  TokenCount,
} from './read-fields.ts'

const Part = loose({ type: z.string(), text: z.string().optional(), image_url: z.string().nullish() })
const Content = z.union([z.string(), z.array(Part)])
const Item = loose({
  type: z.string().optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']).optional(),
  content: Content.nullish(),
  call_id: Name.optional(),
  name: Name.optional(),
  arguments: z.string().optional(),
  output: Content.optional(),
})

const ResponsesBody = loose({
  model: ModelName,
  input: z.union([z.string(), z.array(Item).min(1)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: TokenCount,
  tools: z
    .array(
      loose({
        type: z.string(),
        name: Name.optional(),
        description: z.string().nullish(),
        parameters: z.unknown().optional(),
      }),
    )
    .nullish(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: z.boolean().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  text: loose({ format: loose({ type: z.string(), schema: Schema.optional() }).nullish() }).nullish(),
  reasoning: loose({ effort: z.string().nullish() }).nullish(),
  ...samplingFields,
})

const WITHOUT_EFFECT = [
  'user',
  'store',
  'safety_identifier',
  'prompt_cache_key',
  'service_tier',
  'include',
  'truncation',
]

/** A request with the fields to repeat in its answer. */
export type ResponsesAsked = ApiRequest & { echo: object }

/** Leave out and name tools that OpenAI’s servers would run; programs offer them to every server. */
const isForeign = (type: string) => type !== 'function' && type !== 'custom' && type !== 'namespace'

/** Read a body of `/v1/responses`. */
export function readResponses(given: unknown): ResponsesAsked {
  const body = parseBody(ResponsesBody, given)
  for (const field of ['previous_response_id', 'conversation', 'prompt'])
    if (!isNothing(body[field]))
      refuseField(field, 'Answers are not stored here. Send the whole conversation as input.')
  if (body['background'] === true) refuseField('background', 'Background answers are not supported.')
  const history = buildHistory()
  if (typeof body.instructions === 'string') history.addSystem(body.instructions)
  if (typeof body.input === 'string') history.addUser(body.input)
  else for (const [at, item] of body.input.entries()) addItem(history, item, `input.${at}`)
  const own = (body.tools ?? []).filter(({ type }) => !isForeign(type))
  const tools = checkNames(
    own.map(({ type, name, description, parameters }, at) => {
      if (type !== 'function' || name === undefined)
        return refuseField(`tools.${at}`, `Tools of the type “${type.slice(0, 40)}” do not exist here.`)
      return readTool(name, description, parameters, `tools.${at}`)
    }),
  )
  const foreign = (body.tools ?? []).flatMap(({ type }) => (isForeign(type) ? [`tools: ${type}`] : []))
  const format = body.text?.format
  return {
    model: body.model,
    system: history.systemText(),
    history: history.messages,
    pictures: history.pictures,
    tools,
    choice: readChoice(body.tool_choice, tools),
    isSingle: body.parallel_tool_calls === false,
    schema:
      format?.type === 'json_schema'
        ? (format.schema ?? {})
        : format?.type === 'json_object'
          ? { type: 'object' }
          : undefined,
    maxTokens: body.max_output_tokens,
    stops: [],
    sampling: readSampling(body),
    thinking: readEffort(body.reasoning?.effort),
    stream: body.stream === true,
    unused: [
      ...findUnused(body, ResponsesBody, {
        ignored: WITHOUT_EFFECT,
        inside: { text: ['format'], reasoning: ['effort'] },
      }),
      ...foreign,
    ],
    echo: {
      metadata: body.metadata ?? {},
      parallel_tool_calls: body.parallel_tool_calls ?? true,
      temperature: body.temperature ?? null,
      top_p: body.top_p ?? null,
      max_output_tokens: body.max_output_tokens ?? null,
      tool_choice: body.tool_choice ?? 'auto',
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        parameters,
        strict: false,
      })),
      text: { format: format ?? { type: 'text' } },
      reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
    },
  }
}

function addItem(history: HistoryBuilder, item: z.output<typeof Item>, field: string) {
  const { type = 'message', role, call_id: callId } = item
  if (type === 'reasoning') return
  if (type === 'function_call' && callId !== undefined && item.name !== undefined)
    return history.addAssistant('', [
      { id: callId, name: item.name, arguments: readArguments(item.arguments ?? '') },
    ])
  if (type === 'function_call_output' && callId !== undefined) {
    const { text, pictures } = read(item.output, `${field}.output`)
    return history.addResult(callId, text, pictures, field)
  }
  if (type !== 'message' || role === undefined)
    return refuseField(field, `Items of the type “${type.slice(0, 40)}” cannot be read here.`)
  const { text, pictures } = read(item.content, `${field}.content`)
  if (role === 'user') return history.addUser(text, pictures, field)
  return role === 'assistant' ? history.addAssistant(text) : history.addSystem(text)
}

const read = (content: z.output<typeof Content> | null | undefined, field: string) =>
  joinParts(content, ({ type, text, image_url: image }, at) => {
    if (type === 'input_text' || type === 'output_text' || type === 'text') return text ?? ''
    if (type === 'input_image' && image) return readPicture(image, `${field}.${at}`)
    return refuseField(`${field}.${at}`, `Parts of the type “${type.slice(0, 40)}” cannot be read here.`)
  })
