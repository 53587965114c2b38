import { z } from 'zod'
import { flag, group, number, oneOf, text, wholeNumber } from './setting-rules.ts'

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
    /** The context window of the server; queried or guessed when it is not set. */
    context_tokens: wholeNumber(512, 4_000_000).optional(),
    /** Whether a server with OpenAI's protocol hands the marks of Anthropic's cache on; known ones do. */
    cache_control: flag.optional(),
    /** How long Anthropic caches a prompt. */
    cache_ttl: oneOf(['5m', '1h']).optional(),
    /** Whether the model reads its thoughts of earlier turns; off but for known ones. */
    past_reasoning: flag.optional(),
    /** Budget in tokens for the thinking of Anthropic’s models. */
    thinking_tokens: wholeNumber(1_024, 128_000).optional(),
    /** Prices in dollars per million tokens, for the usage page; costs are unknown without them. */
    price_input: price,
    price_cached: price,
    price_output: price,
  },
  'a server with id, name, base_url and model',
)
export type ServerConfig = z.infer<typeof ServerConfig>

/** The settings of one model, under its id in `models.options`. Absent ones follow the general settings. */
export const ModelOptionsConfig = group({
  context_tokens: wholeNumber(512, 1_048_576).optional(),
  gpu_layers: wholeNumber(0, 1_000).optional(),
  threads: wholeNumber(1, 256).optional(),
  batch_tokens: wholeNumber(32, 4_096).optional(),
  temperature: number(0, 5).optional(),
  top_k: wholeNumber(1, 1_000).optional(),
  top_p: number(0, 1).optional(),
  min_p: number(0, 1).optional(),
  strategy: oneOf(['text', 'structured']).optional(),
  format: text(60).optional(),
})
export type ModelOptionsConfig = z.infer<typeof ModelOptionsConfig>

const auxiliaryModel = text(4_096).default('chat')
/** The models for work beside the chats. `vision` is for pictures, which no chat can hold yet. */
export const AuxiliaryConfig = group({
  summary: auxiliaryModel,
  draft: auxiliaryModel,
  recap: auxiliaryModel,
  vision: auxiliaryModel,
})

/** The same model for all work beside the chats. */
export const auxiliaryOf = (id: string): z.output<typeof AuxiliaryConfig> => ({
  summary: id,
  draft: id,
  recap: id,
  vision: id,
})
