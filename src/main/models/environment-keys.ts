import type { ServerProtocol } from './server-entry.ts'

/** Reads a key by name from the stored secrets, else from the environment. */
export type ReadKey = (name: string) => string | undefined

/** A key in the environment and the one host that may receive it, or the host in the variable `base`. */
type Known = { key: string; base?: string; origin?: string }

const KNOWN: readonly Known[] = [
  { key: 'OPENAI_API_KEY', base: 'OPENAI_BASE_URL', origin: 'https://api.openai.com' },
  { key: 'ANTHROPIC_API_KEY', base: 'ANTHROPIC_BASE_URL', origin: 'https://api.anthropic.com' },
  { key: 'LITELLM_API_KEY', base: 'LITELLM_BASE_URL' },
  { key: 'OPENROUTER_API_KEY', origin: 'https://openrouter.ai' },
  { key: 'MISTRAL_API_KEY', origin: 'https://api.mistral.ai' },
  { key: 'GROQ_API_KEY', origin: 'https://api.groq.com' },
  { key: 'DEEPSEEK_API_KEY', origin: 'https://api.deepseek.com' },
  { key: 'GEMINI_API_KEY', origin: 'https://generativelanguage.googleapis.com' },
  { key: 'XAI_API_KEY', origin: 'https://api.x.ai' },
  { key: 'TOGETHER_API_KEY', origin: 'https://api.together.xyz' },
]

/** The environment's key for a server; undefined for every host but the one the key belongs to. */
export function environmentKey(baseUrl: string, read: ReadKey): string | undefined {
  const origin = URL.parse(baseUrl)?.origin
  for (const known of KNOWN) {
    const key = read(known.key)?.trim()
    const home = (known.base && read(known.base)?.trim()) || known.origin
    if (key && home && origin !== undefined && URL.parse(home)?.origin === origin) return key
  }
  return undefined
}

/** A server that the environment names, with the model to use; the model is empty if only the server knows it. */
export type EnvironmentServer = {
  id: string
  name: string
  protocol: ServerProtocol
  baseUrl: string
  model: string
}

/** The server from the environment for work outside the chats: a gateway first, then a key. */
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
