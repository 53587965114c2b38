import { z } from 'zod'
import { McpProjectServer, McpServer } from '../../../shared/contract/connections/mcp.ts'
import { MOST_REFERENCES } from '../../../shared/contract/models/model.ts'
import { flag, group, groupFor, number, oneOf, text, wholeNumber, withText } from './setting-rules.ts'

/** Default time limit for a reference model, in seconds. */
export const WAIT_S = 120

const price = number(0, 100_000).optional()

/** A server that speaks the protocol of OpenAI or of Anthropic. Its key is kept in `.env`, never here. */
export const ServerConfig = z.object(
  {
    id: text(100),
    name: text(60),
    /** The protocol; OpenAI's by default. */
    protocol: oneOf(['openai', 'anthropic']).optional(),
    base_url: z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    model: text(200),
    strategy: oneOf(['text', 'structured']).optional(),
    /** The context window of the server in tokens; queried or guessed if not set. */
    context_tokens: wholeNumber(512, 4_000_000).optional(),
    /** How long it may take to start an answer. Default: ten minutes; no limit on the local network. */
    start_timeout_s: wholeNumber(1, 86_400).optional(),
    /** Whether an OpenAI-style server passes on Anthropic's cache marks; known ones do. */
    cache_control: flag.optional(),
    /** How long Anthropic keeps a prompt in its cache. */
    cache_ttl: oneOf(['5m', '1h']).optional(),
    /** Whether the model gets its thoughts of earlier turns; off except for known models. */
    past_reasoning: flag.optional(),
    /** Token budget for the thinking of Anthropic’s models. */
    thinking_tokens: wholeNumber(1_024, 128_000).optional(),
    /** Prices in dollars per million tokens, for the usage page; costs are unknown without them. */
    price_input: price,
    price_cached: price,
    price_output: price,
  },
  'a server with id, name, base_url and model',
)
export type ServerConfig = z.infer<typeof ServerConfig>

/** A model for a mixture: neither the built-in one nor another mixture. */
const memberId = text(4_096)
  .refine(id => !id.startsWith('mixture:'), 'a model that is not a mixture itself')
  .refine(id => id !== 'builtin', 'another model than the built-in one, which knows only its own prompt')

/** A mixture: a model that asks others for advice before one of them answers. */
export const MixtureConfig = z.object(
  {
    id: z
      .string('a text')
      .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'a word of small letters, digits and -, at most 60'),
    name: text(60),
    /** The ids of the models to ask. */
    references: z
      .array(memberId, 'a list of models')
      .min(1, 'at least one model')
      .max(MOST_REFERENCES, `at most ${MOST_REFERENCES} models`)
      .refine(ids => new Set(ids).size === ids.length, 'each model only once'),
    /** The id of the model that answers. */
    aggregator: memberId,
    /** Time limit for one reference model, in seconds. */
    wait_s: wholeNumber(5, 3_600).default(WAIT_S),
  },
  'a mixture with id, name, references and aggregator',
)
export type MixtureConfig = z.output<typeof MixtureConfig>

/** The settings of one model, under its id in `models.options`. Absent ones follow the general settings. */
export const ModelOptionsConfig = group({
  context_tokens: wholeNumber(512, 1_048_576).optional(),
  gpu_layers: wholeNumber(0, 1_000).optional(),
  threads: wholeNumber(1, 256).optional(),
  batch_tokens: wholeNumber(32, 4_096).optional(),
  chats: wholeNumber(1, 8).optional(),
  context_bits: z.literal([8, 16], '8 or 16').optional(),
  temperature: number(0, 5).optional(),
  top_k: wholeNumber(1, 1_000).optional(),
  top_p: number(0, 1).optional(),
  min_p: number(0, 1).optional(),
  repeat_penalty: number(0.1, 3).optional(),
  strategy: oneOf(['text', 'structured']).optional(),
  format: text(60).optional(),
  thinking: oneOf(['on', 'off']).optional(),
})
export type ModelOptionsConfig = z.infer<typeof ModelOptionsConfig>

const toolsetName = z
  .string('the name of a toolset')
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'a name of small letters, digits, - and _, at most 40')

/** Toolsets switched on or off, by name. */
export const ToolsetSwitches = z.record(z.string().max(100), flag, 'toolsets, each true or false')

/** Toolsets that the user defines: the toolsets and single tools they include. */
export const OwnToolsets = z
  .record(
    toolsetName,
    group({
      says: text(200).default('Your own toolset.'),
      includes: z.array(text(100), 'a list of toolsets').default([]),
      tools: z.array(text(100), 'a list of tools').default([]),
    }),
    'toolsets by their name, each with includes and tools',
  )
  .superRefine((all, context) => {
    for (const name of Object.keys(all)) {
      const way = wayBack(name, all)
      if (way === undefined) continue
      const message = `a toolset that does not include itself (${way.join(' → ')})`
      context.addIssue({ code: 'custom', path: [name], message })
      // Each toolset of the cycle would report the same.
      return
    }
  })

/** Return the cycle of includes from a toolset back to itself; undefined if there is none. */
function wayBack(
  name: string,
  all: Readonly<Record<string, { includes: readonly string[] }>>,
): string[] | undefined {
  const seen = new Set<string>()
  const from = (at: string, way: readonly string[]): string[] | undefined => {
    for (const next of all[at]?.includes ?? []) {
      if (next === name) return [...way, name]
      if (seen.has(next)) continue
      seen.add(next)
      const found = from(next, [...way, next])
      if (found) return found
    }
    return undefined
  }
  return from(name, [name])
}

const auxiliaryModel = text(4_096).default('chat')
/**
 * The models for auxiliary work. `vision` describes pictures for models that cannot see. `transcription` is a
 * server for voice notes. The value `chat` turns these two off.
 */
export const AuxiliaryConfig = group({
  summary: auxiliaryModel,
  draft: auxiliaryModel,
  recap: auxiliaryModel,
  vision: auxiliaryModel,
  transcription: auxiliaryModel,
})

/** Use one model for all auxiliary work except transcription, which needs a specialised model. */
export const auxiliaryOf = (id: string): z.output<typeof AuxiliaryConfig> => ({
  summary: id,
  draft: id,
  recap: id,
  vision: id,
  transcription: 'chat',
})

/** Settings of MCP servers, which provide tools. */
export const McpConfig = groupFor(['chats'], {
  servers: withText(
    z.array(McpServer, 'a list of MCP servers').default([]),
    'MCP servers',
    'Programs and addresses that bring tools. Change them on the page Connections.',
  ),
  project_servers: withText(
    z.array(McpProjectServer, 'a list of servers of folders').default([]),
    'MCP servers of folders',
    'What you switched for servers that the .mcp.json of a folder names. Change it on the page Connections.',
  ),
})
