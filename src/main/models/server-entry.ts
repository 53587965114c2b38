import { Fault } from '../../shared/rpc.ts'
import { isAt, type KnownKey, type ReadKey } from '../config/known-keys.ts'

/** The supported server protocols. */
export type ServerProtocol = 'openai' | 'anthropic'

/** A server in the configuration. Its key is stored as a secret under `keyNameOf` of `known-keys.ts`. */
export type ServerEntry = {
  id: string
  name: string
  /** Default: `openai`. */
  protocol?: ServerProtocol | undefined
  base_url: string
  model: string
  strategy?: 'text' | 'structured' | undefined
  context_tokens?: number | undefined
  start_timeout_s?: number | undefined
  cache_control?: boolean | undefined
  cache_ttl?: '5m' | '1h' | undefined
  past_reasoning?: boolean | undefined
  thinking_tokens?: number | undefined
  price_input?: number | undefined
  price_cached?: number | undefined
  price_output?: number | undefined
}

/** The values that the user types to add a server. */
export type TypedServer = {
  name: string
  baseUrl: string
  model: string
  protocol?: ServerProtocol
  /** Null removes the value; if absent, a known server keeps its value. */
  startTimeoutS?: number | null | undefined
  /** The same for the size of its context window, in tokens. */
  contextTokens?: number | null | undefined
}

/** Create an entry from typed values, with an unused id. Throws `bad_input` for an invalid address. */
export function newServerEntry(typed: TypedServer, others: readonly ServerEntry[]): ServerEntry {
  const slug = slugOf(typed.name)
  const taken = new Set(others.map(each => each.id))
  let id = slug
  for (let n = 2; taken.has(id); n++) id = `${slug}-${n}`
  const { protocol = 'openai', startTimeoutS, contextTokens } = typed
  return {
    id,
    name: typed.name.trim(),
    ...(protocol !== 'openai' && { protocol }),
    base_url: baseUrlOf(typed.baseUrl, protocol),
    model: typed.model.trim(),
    ...(contextTokens != null && { context_tokens: contextTokens }),
    ...(startTimeoutS != null && { start_timeout_s: startTimeoutS }),
  }
}

/** Whether two entries name the same model on the same server. */
export const isSameServer = (a: ServerEntry, b: ServerEntry): boolean =>
  a.base_url === b.base_url && a.model === b.model && (a.protocol ?? 'openai') === (b.protocol ?? 'openai')

/**
 * Update a known server with newly typed values. Its id and start timeout stay. What is known about its model
 * stays unless the model changes.
 */
export function changedEntry(
  known: ServerEntry,
  { id: _new, ...entry }: ServerEntry,
  { startTimeoutS, contextTokens }: Pick<TypedServer, 'startTimeoutS' | 'contextTokens'>,
): ServerEntry {
  const { protocol: _old, start_timeout_s, context_tokens, ...others } = known
  const window = contextTokens === undefined && context_tokens !== undefined ? { context_tokens } : {}
  const rest = { ...others, ...window }
  const waits = startTimeoutS === undefined && start_timeout_s !== undefined ? { start_timeout_s } : {}
  return known.model === entry.model ? { ...rest, ...waits, ...entry } : { id: known.id, ...waits, ...entry }
}

/** Turn a name into an id of lower-case letters, digits and hyphens. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40) || 'server'

/**
 * The base address of a server's API. Users paste the address of the server, of its API, or of one endpoint;
 * all mean the API. OpenAI’s base includes the version, Anthropic’s ends before it. Throws `bad_input`.
 */
export function baseUrlOf(typed: string, protocol: ServerProtocol): string {
  const url = URL.parse(typed.trim())
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Fault('bad_input', 'The address must start with http:// or https://.')
  if (url.username !== '' || url.password !== '')
    throw new Fault(
      'bad_input',
      'Do not put a name and password in the address. Enter the key in its own field.',
    )
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  if (protocol === 'anthropic') return url.origin + path.replace(/\/(v1\/(messages|models)|messages|v1)$/, '')
  const api = path.replace(/\/(chat\/completions|completions|models)$/, '')
  return `${url.origin}${api === '' ? '/v1' : api}`
}

/**
 * Servers that pass `cache_control` on to Anthropic. OpenRouter: openrouter.ai/docs/features/prompt-caching.
 * LiteLLM: docs.litellm.ai/docs/completion/prompt_caching; it can run anywhere, so its address is known only
 * from the environment.
 */
const CACHE_MARKS: readonly Pick<KnownKey, 'base' | 'origin'>[] = [
  { origin: 'https://openrouter.ai' },
  { base: 'LITELLM_BASE_URL' },
]

/**
 * Whether prompts carry marks for Anthropic's cache: as set by the user, else true for Anthropic's models on
 * servers that pass the marks on.
 */
export function sendsCacheMarks(
  { base_url, model, cache_control }: Pick<ServerEntry, 'base_url' | 'model' | 'cache_control'>,
  read: ReadKey,
): boolean {
  if (cache_control !== undefined) return cache_control
  return /claude|anthropic/i.test(model) && CACHE_MARKS.some(known => isAt(base_url, known, read))
}

/**
 * Models that were made to read their thoughts of earlier turns. Z.ai keeps them on its coding endpoint
 * (docs.z.ai/guides/capabilities/thinking-mode, “Preserved thinking”). Moonshot requires all of them
 * (platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model). Other models ignore them, charge for them or
 * refuse them.
 */
const PAST_REASONING: readonly { api: RegExp; model: RegExp }[] = [
  { api: /^https:\/\/api\.z\.ai\/api\/coding\//, model: /^glm-(4\.[7-9]|[5-9])/i },
  { api: /^https:\/\/api\.moonshot\.(ai|cn)\//, model: /^kimi-k2-thinking/i },
]

/** Whether to send back thoughts of earlier turns: as set, else only to models made to read them. */
export const sendsPastReasoning = ({
  base_url,
  model,
  past_reasoning,
}: Pick<ServerEntry, 'base_url' | 'model' | 'past_reasoning'>): boolean =>
  past_reasoning ?? PAST_REASONING.some(known => known.api.test(base_url) && known.model.test(model))

/** A server named by the environment, and its model. The model is empty if only the server knows it. */
type EnvironmentServer = {
  id: string
  name: string
  protocol: ServerProtocol
  baseUrl: string
  model: string
}

/** The server from the environment for work outside chats: a gateway first, else an API with a key. */
export function environmentServer(read: ReadKey): EnvironmentServer | undefined {
  const word = (name: string) => read(name)?.trim() || undefined
  const gateway = word('LITELLM_BASE_URL')
  if (gateway) {
    const model = word('LITELLM_MODEL') ?? ''
    return { id: 'litellm', name: 'LiteLLM', protocol: 'openai', baseUrl: gateway, model }
  }
  if (word('ANTHROPIC_API_KEY')) {
    const baseUrl = word('ANTHROPIC_BASE_URL') ?? 'https://api.anthropic.com'
    const model = word('ANTHROPIC_MODEL') ?? 'claude-haiku-4-5'
    return { id: 'anthropic', name: 'Anthropic', protocol: 'anthropic', baseUrl, model }
  }
  if (!word('OPENAI_API_KEY')) return undefined
  const baseUrl = word('OPENAI_BASE_URL') ?? 'https://api.openai.com'
  return {
    id: 'openai',
    name: 'OpenAI',
    protocol: 'openai',
    baseUrl,
    model: word('OPENAI_MODEL') ?? 'gpt-5-mini',
  }
}
