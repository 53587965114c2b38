import type { ModelServer } from '../../../../shared/contract/model.ts'

/** A common server: its default address, and whether it needs a key. */
export type Preset = {
  id: string
  name: string
  protocol: ModelServer['protocol']
  baseUrl: string
  key: 'none' | 'maybe' | 'needed'
  /** The server forwards requests, so a local address does not mean that messages stay on this computer. */
  passesOn?: boolean
}

/** Local servers come first. */
export const presets = [
  { id: 'ollama', name: 'Ollama', protocol: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', key: 'none' },
  { id: 'lmstudio', name: 'LM Studio', protocol: 'openai', baseUrl: 'http://127.0.0.1:1234/v1', key: 'none' },
  {
    id: 'llama',
    name: 'llama-server',
    protocol: 'openai',
    baseUrl: 'http://127.0.0.1:8080/v1',
    key: 'maybe',
  },
  { id: 'vllm', name: 'vLLM', protocol: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', key: 'maybe' },
  {
    id: 'litellm',
    name: 'LiteLLM',
    protocol: 'openai',
    baseUrl: 'http://127.0.0.1:4000/v1',
    key: 'maybe',
    passesOn: true,
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    protocol: 'openai',
    baseUrl: 'https://openrouter.ai/api/v1',
    key: 'needed',
    passesOn: true,
  },
  { id: 'openai', name: 'OpenAI', protocol: 'openai', baseUrl: 'https://api.openai.com/v1', key: 'needed' },
  {
    id: 'anthropic',
    name: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    key: 'needed',
  },
] as const satisfies readonly Preset[]

/** The empty preset for any other server. */
export const other: Preset = { id: 'other', name: '', protocol: 'openai', baseUrl: '', key: 'maybe' }

/** The preset with this id, or `other`. */
export const presetOf = (id: string): Preset => presets.find(preset => preset.id === id) ?? other

/** The preset of a known address. */
export const presetAt = (baseUrl: string): Preset =>
  presets.find(preset => preset.baseUrl === baseUrl) ?? other
