import type { ModelServer } from '../../../../shared/contract/models/model.ts'

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

/** Where an address points: this computer, the local network, or the internet. */
type Place = 'here' | 'near' | 'far'

export type Address =
  | { kind: 'empty' }
  /** `scheme`: not http or https. `secrets`: contains a user name or password. */
  | { kind: 'wrong'; why: 'scheme' | 'secrets' | 'unreadable' }
  | { kind: 'known'; host: string; origin: string; place: Place; encrypted: boolean }

/** Parses a typed address without any network request. */
export function readAddress(typed: string): Address {
  const trimmed = typed.trim()
  if (trimmed === '') return { kind: 'empty' }
  if (!/^https?:\/\//iu.test(trimmed)) return { kind: 'wrong', why: 'scheme' }
  const url = URL.parse(trimmed)
  if (!url) return { kind: 'wrong', why: 'unreadable' }
  if (url.username !== '' || url.password !== '') return { kind: 'wrong', why: 'secrets' }
  const { host, hostname, origin, protocol } = url
  return { kind: 'known', host, origin, place: placeOf(hostname), encrypted: protocol === 'https:' }
}

/** Must match the names and addresses that the offline lock allows. */
const HERE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const NEAR =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)[\d.]+$|^\[f[cde]|\.(local|lan|internal|home\.arpa)$/

function placeOf(hostname: string): Place {
  if (HERE.test(hostname)) return 'here'
  // A host name without a dot resolves only in the local network.
  return NEAR.test(hostname) || !/[.:]/.test(hostname) ? 'near' : 'far'
}
