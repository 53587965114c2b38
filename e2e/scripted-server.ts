import type { Page } from '@playwright/test'
import { lastAnswer, send } from './chat.ts'
import { startOpenAiServer, type OpenAiServer } from '../testing/servers/openai-server.ts'
import { expect, pastFirstRun, test as base } from './app.ts'

export { expect } from './app.ts'

type Served = {
  /** The server that answers every chat of a spec with scripted replies. */
  model: OpenAiServer
  /** Additional settings for `config.yaml`. */
  config: Record<string, unknown>
  /** Additional `homeFiles`. This fixture uses `homeFiles` itself for the model. */
  filesOfHome: Record<string, string>
}

/** Specs with scripted replies, from a local server that speaks the OpenAI protocol. */
export const test = base.extend<Served>({
  config: [{}, { option: true }],
  filesOfHome: [{}, { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
  model: async ({}, use) => {
    const model = await startOpenAiServer()
    await use(model)
    await model.close()
  },
  homeFiles: async ({ model, config, filesOfHome }, use) => {
    const server = { id: 'test', name: 'Test server', base_url: model.baseUrl, model: 'qwen3-8b' }
    const models = { default: 'server:test', servers: [{ ...server, context_tokens: 32_768 }] }
    await use({ ...filesOfHome, 'config.yaml': pastFirstRun({ models, ...config }) })
  },
})

/** Send a message and wait for the model's answer to it. */
export async function talk(page: Page, model: OpenAiServer, text: string): Promise<void> {
  model.reply({ text: 'Fine.' })
  await send(page, text)
  await expect(lastAnswer(page)).toContainText('Fine.')
}

/** An answer of `count` numbered words that pauses after each of `halts` words until `goOn` is called. */
export function words(count: number, ...halts: number[]) {
  const gates = halts.map(after => ({ after, ...Promise.withResolvers<void>() }))
  return {
    text: Array.from({ length: count }, (_, index) => `word${index + 1} `),
    // The first chunk contains only the role.
    halts: gates.map(({ after, promise }) => ({ after: after + 1, until: promise })),
    goOn: () => gates.shift()?.resolve(),
  }
}

/** A reply that calls the terminal. */
export const callOf = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ren',
  'su',
  'ta',
  'ver',
  'no',
  'pel',
  'dri',
  'gha',
  'bu',
  'fon',
  'ze',
  'wi',
  'har',
]

/**
 * Words without sense and without repetition, because Talaria would end a loop. Each `part` gives other
 * words.
 */
export function senseless(count: number, part = 0): string[] {
  let seed = part + 1
  const pick = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return SYLLABLES[seed % SYLLABLES.length]!
  }
  return Array.from({ length: count }, (_, at) => `${pick()}${pick()}${pick()}${at % 9 === 8 ? '. ' : ' '}`)
}
