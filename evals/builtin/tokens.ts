import { writeFileSync } from 'node:fs'
import type { Token } from 'node-llama-cpp'
import { loadModel } from '../../src/main/models/engines/local/process/load-model.ts'
import { batchTokens } from '../../src/main/models/engines/local/process/protocol.ts'
import { readConversations, turnsOf, wireOf } from './conversation.ts'

/**
 * What the product’s engine makes of conversations, for training/parity.py: the tokens of the prompt before each reply,
 * and for the first `replies` prompts the tokens that the model continues with.
 */
const [model, conversations, out, replies = '0'] = process.argv.slice(2)
if (model === undefined || conversations === undefined || out === undefined) {
  console.error('Usage: node evals/builtin/tokens.ts MODEL.gguf CONVERSATIONS.jsonl OUT.jsonl [REPLIES]')
  process.exit(2)
}

const MOST_TOKENS = 120
const loaded = await loadModel(
  {
    path: model,
    contextTokens: 2_048,
    sequences: 1,
    threads: 1,
    gpu: 'off',
    gpuLayers: undefined,
    batch: batchTokens,
    force: false,
    flashAttention: false,
    mapFile: false,
    sampling: {},
    states: undefined,
  },
  new AbortController().signal,
  () => {},
)
if ('failure' in loaded) throw new Error(loaded.failure.text)
const { model: opened } = loaded
const context = await opened.createContext({ contextSize: 2_048, threads: 1, flashAttention: false })
const sequence = context.getSequence()

async function continuation(prompt: readonly Token[]): Promise<Token[]> {
  await sequence.clearHistory()
  const made: Token[] = []
  for await (const token of sequence.evaluate([...prompt], { temperature: 0, yieldEogToken: true })) {
    made.push(token)
    if (made.length === MOST_TOKENS || opened.isEogToken(token)) break
  }
  return made
}

const lines: string[] = []
for (const conversation of readConversations(conversations)) {
  for (const [turn, { before }] of turnsOf(conversation).entries()) {
    const { tokens } = loaded.writer.write({
      sessionId: `${conversation.id} ${turn}`,
      messages: wireOf(before),
    })
    const reply = lines.length < Number(replies) ? await continuation(tokens) : undefined
    lines.push(JSON.stringify({ id: conversation.id, turn, prompt: tokens, ...(reply && { reply }) }))
  }
}
writeFileSync(out, `${lines.join('\n')}\n`)
await context.dispose()
await loaded.close()
