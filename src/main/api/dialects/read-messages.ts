import { z } from 'zod'
import {
  buildHistory,
  readPicture,
  refuseField,
  type ApiRequest,
  type HistoryBuilder,
  type ToolChoice,
} from '../api-request.ts'
import type { ToolCall } from '../../../shared/contract/chats/messages.ts'
import type { SentPicture } from '../../models/interface/engine.ts'
import {
  checkNames,
  findUnused,
  loose,
  ModelName,
  Name,
  parseBody,
  readSampling,
  readTool,
  samplingFields,
  Schema,
  TokenCount,
} from './read-fields.ts'

const Inner = loose({
  type: z.string(),
  text: z.string().optional(),
  tool_name: z.string().max(200).optional(),
  source: loose({
    type: z.string(),
    media_type: z.string().optional(),
    data: z.string().optional(),
  }).nullish(),
})
const Block = Inner.extend({
  id: Name.optional(),
  name: Name.optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  tool_use_id: Name.optional(),
  content: z.union([z.string(), z.array(Inner)]).nullish(),
})

const MessagesBody = loose({
  model: ModelName,
  messages: z
    .array(
      loose({
        role: z.enum(['user', 'assistant', 'system']),
        content: z.union([z.string(), z.array(Block)]),
      }),
    )
    .min(1),
  system: z.union([z.string(), z.array(loose({ type: z.string(), text: z.string() }))]).nullish(),
  stream: z.boolean().nullish(),
  max_tokens: TokenCount,
  stop_sequences: z.array(z.string()).max(16).nullish(),
  tools: z
    .array(
      loose({
        type: z.string().nullish(),
        name: Name,
        description: z.string().nullish(),
        input_schema: Schema.optional(),
      }),
    )
    .nullish(),
  tool_choice: loose({
    type: z.string(),
    name: Name.optional(),
    disable_parallel_tool_use: z.boolean().nullish(),
  }).nullish(),
  thinking: loose({ type: z.string() }).nullish(),
  output_config: loose({
    format: loose({ type: z.string(), schema: Schema.optional() }).nullish(),
  }).nullish(),
  ...samplingFields,
})

const WITHOUT_EFFECT = ['metadata', 'service_tier', 'cache_control']

/** Read a body of Anthropic’s `/v1/messages`. */
export function readMessages(given: unknown): ApiRequest {
  const body = parseBody(MessagesBody, given)
  const history = buildHistory()
  const { system } = body
  if (typeof system === 'string') history.addSystem(system)
  else for (const { text } of system ?? []) history.addSystem(text)
  for (const [at, { role, content }] of body.messages.entries()) {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    if (role === 'assistant') addAnswer(history, blocks, `messages.${at}`)
    else if (role === 'system') history.addSystem(blocks.map(({ text }) => text ?? '').join('\n'))
    else addQuestion(history, blocks, `messages.${at}`)
  }
  // Tools that only Anthropic’s own servers run, such as web search, do not exist here.
  const known = (body.tools ?? []).filter(
    ({ type }) => type === null || type === undefined || type === 'custom',
  )
  const tools = checkNames(
    known.map((tool, at) => readTool(tool.name, tool.description, tool.input_schema, `tools.${at}`)),
  )
  const foreign = (body.tools ?? []).flatMap(({ type, name }) =>
    type && type !== 'custom' ? [`tools: ${name}`] : [],
  )
  const { format } = body.output_config ?? {}
  return {
    model: body.model,
    system: history.systemText(),
    history: history.messages,
    pictures: history.pictures,
    tools,
    choice: choiceOf(
      body.tool_choice,
      tools.map(({ name }) => name),
    ),
    isSingle: body.tool_choice?.disable_parallel_tool_use === true,
    schema: format?.type === 'json_schema' ? (format.schema ?? {}) : undefined,
    maxTokens: body.max_tokens,
    stops: (body.stop_sequences ?? []).filter(each => each !== ''),
    sampling: readSampling(body),
    thinking: body.thinking ? (body.thinking.type === 'disabled' ? 'off' : 'on') : undefined,
    stream: body.stream === true,
    unused: [
      ...findUnused(body, MessagesBody, {
        ignored: WITHOUT_EFFECT,
        inside: { thinking: ['type'], output_config: ['format'] },
      }),
      ...foreign,
    ],
  }
}

function choiceOf(
  choice: z.output<typeof MessagesBody>['tool_choice'],
  names: readonly string[],
): ToolChoice {
  if (!choice || choice.type === 'auto') return 'auto'
  if (choice.type === 'none') return 'none'
  if (choice.type === 'any') return 'required'
  if (choice.type === 'tool' && choice.name !== undefined && names.includes(choice.name))
    return { name: choice.name }
  return refuseField('tool_choice', 'It is auto, any, none, or a tool of tools.')
}

type Blocks = readonly z.output<typeof Block>[]

function addAnswer(history: HistoryBuilder, blocks: Blocks, field: string) {
  const texts: string[] = []
  const calls: ToolCall[] = []
  for (const [at, { type, text, id, name, input }] of blocks.entries()) {
    if (type === 'text') texts.push(text ?? '')
    else if (type === 'tool_use' && id !== undefined && name !== undefined)
      calls.push({ id, name, arguments: input ?? {} })
    // Thoughts in earlier answers are not sent to a model again.
    else if (!type.includes('thinking')) refuseBlock(type, `${field}.content.${at}`)
  }
  history.addAssistant(texts.join('\n'), calls)
}

function addQuestion(history: HistoryBuilder, blocks: Blocks, field: string) {
  const texts: string[] = []
  const pictures: SentPicture[] = []
  for (const [at, block] of blocks.entries()) {
    const place = `${field}.content.${at}`
    if (block.type === 'tool_result' && block.tool_use_id !== undefined) {
      const inner =
        typeof block.content === 'string'
          ? [block.content]
          : (block.content ?? []).map(each => readInner(each, place))
      const said = inner.filter(each => typeof each === 'string').join('\n')
      history.addResult(
        block.tool_use_id,
        said,
        inner.filter(each => typeof each !== 'string'),
        place,
      )
    } else {
      const read = readInner(block, place)
      if (typeof read === 'string') texts.push(read)
      else pictures.push(read)
    }
  }
  if (texts.length > 0 || pictures.length > 0) history.addUser(texts.join('\n'), pictures, field)
}

function readInner(
  { type, text, source, tool_name }: z.output<typeof Inner>,
  field: string,
): string | SentPicture {
  if (type === 'text') return text ?? ''
  // Claude Code answers a tool search this way; from then on the tool is in `tools`.
  if (type === 'tool_reference') return `The tool ${tool_name ?? ''} can be called now.`
  if (type === 'image')
    return readPicture(
      source?.type === 'base64' ? `data:${source.media_type ?? ''};base64,${source.data ?? ''}` : '',
      field,
    )
  return refuseBlock(type, field)
}

const refuseBlock = (type: string, field: string): never =>
  refuseField(field, `Blocks of the type “${type.slice(0, 40)}” cannot be read here.`)
