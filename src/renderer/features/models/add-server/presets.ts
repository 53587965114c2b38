import type { ModelServer } from '../../../../shared/contract/model.ts'

/** A server that many people have or know: where it usually is, and whether it wants a key. */
export type Preset = {
  id: string
  name: string
  protocol: ModelServer['protocol']
  baseUrl: string
  key: 'none' | 'maybe' | 'needed'
  /** It hands what it gets to others, so that an address on this computer says nothing about where words go. */
  passesOn?: boolean
}

/** Servers that run on this computer first. */
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

/** Any other server, with nothing filled in. */
export const other: Preset = { id: 'other', name: '', protocol: 'openai', baseUrl: '', key: 'maybe' }

/** The one of that id; any other server where there is none. */
export const presetOf = (id: string): Preset => presets.find(preset => preset.id === id) ?? other

/** What a server is, by an address that is known already. */
export const presetAt = (baseUrl: string): Preset =>
  presets.find(preset => preset.baseUrl === baseUrl) ?? other
