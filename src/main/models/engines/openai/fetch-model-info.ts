import { fieldsOf, listOf, type Fields } from '../remote/fields.ts'
import type { ToldOfModel } from '../remote/remote-engine.ts'

/** How long the questions may take together, in milliseconds. */
const PATIENCE_MS = 2_000

/** Windows of hosted families, for servers that do not tell. Names that also stand for local models are left out. */
const HOSTED: [family: RegExp, tokens: number][] = [
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^(chatgpt-)?(gpt-)?4o/, 128_000],
  [/^gpt-4-turbo/, 128_000],
  [/^o[134](-|$)/, 200_000],
  [/^claude/, 200_000],
  [/^gemini-[2-9]/, 1_000_000],
  [/^deepseek-(chat|reasoner)$/, 128_000],
  [/^mistral-(small|medium|large)-latest$/, 128_000],
]

/** Ollama's window for a model that is not loaded yet, on a machine without a large graphics card; longer prompts are cut without a word. */
const OLLAMA_DEFAULT = 4_096

/** The window of a hosted model by its name; undefined for all others. */
export function hostedContext(model: string): number | undefined {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  return HOSTED.find(([family]) => family.test(name))?.[1]
}

type Asked = { baseUrl: string; model: string; nearby: boolean; fetch: typeof fetch }

/**
 * Ask a server how many tokens its model reads at once, and whether it takes tools. `/models` tells it on vLLM,
 * OpenRouter, Groq and others; servers nearby are also asked in their own tongue (Ollama, LM Studio, llama.cpp).
 * Undefined when nobody answers, within two seconds.
 */
export async function askModel(asked: Asked): Promise<ToldOfModel | undefined> {
  let answered = false
  const told = await ask(asked, () => {
    answered = true
  })
  return answered ? told : undefined
}

async function ask({ baseUrl, model, nearby, fetch }: Asked, onAnswer: () => void): Promise<ToldOfModel> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const origin = new URL(baseUrl).origin
  const read = async (url: string, body?: object) => {
    try {
      const sent = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(url, { signal, ...sent })
      onAnswer()
      return response.ok ? fieldsOf(await response.json()) : {}
    } catch {
      // Whatever is wrong shows again, with a message, when the model is asked.
      return {}
    }
  }

  const listed = entryOf((await read(`${baseUrl}/models`))['data'], model)
  const contextTokens = listedContext(listed)
  const tools = has(listed['supported_parameters'], 'tools')
  if (contextTokens !== undefined || !nearby) return { contextTokens, tools }
  const [ollama, studio, llama] = await Promise.all(
    ['/api/ps', '/api/v0/models', '/props'].map(path => read(`${origin}${path}`)),
  )
  if (Array.isArray(ollama?.['models'])) {
    const loaded = firstCount(entryOf(ollama['models'], model), ['context_length'])
    const { capabilities } = await read(`${origin}/api/show`, { model })
    return { contextTokens: loaded ?? OLLAMA_DEFAULT, tools: has(capabilities, 'tools') }
  }
  const inStudio = entryOf(studio?.['data'], model)
  const window =
    firstCount(inStudio, ['loaded_context_length']) ??
    firstCount(fieldsOf(llama?.['default_generation_settings']), ['n_ctx'])
  // It lends its own way of calling to models that have none, so only a yes says something.
  return { contextTokens: window, tools: tools ?? (has(inStudio['capabilities'], 'tool_use') || undefined) }
}

/** Whether a list has a word; undefined when there is no list. */
const has = (list: unknown, word: string): boolean | undefined =>
  Array.isArray(list) ? list.includes(word) : undefined

/** The window of a model in an entry of `/models`, where it stands there. */
export const listedContext = (entry: Fields): number | undefined =>
  firstCount({ ...fieldsOf(entry['meta']), ...entry }, [
    'max_model_len',
    'context_length',
    'context_window',
    'loaded_context_length',
    'max_context_length',
  ])

function entryOf(list: unknown, model: string): Fields {
  return listOf(list).find(entry => [entry['id'], entry['model'], entry['name']].includes(model)) ?? {}
}

function firstCount(fields: Fields, names: string[]): number | undefined {
  const found = names.map(name => fields[name]).find(value => typeof value === 'number' && value >= 256)
  return typeof found === 'number' ? Math.floor(found) : undefined
}
