import { getLlama } from 'node-llama-cpp'

/** A request to the bare loop: read a text, then write so many tokens. */
export type BareRequest = { text: string; outputTokens: number }
/** Times in milliseconds: until the first token, and from the first token to the last. */
export type BareAnswer = { promptTokens: number; outputTokens: number; readMs: number; writeMs: number }

/**
 * node-llama-cpp with nothing around it, in a separate process: the same model, context and settings as the
 * engine, the whole prompt in one call, and a loop that only counts tokens. The engine is compared with this.
 */
const [path = '', contextSize = '', flashAttention, threadsText] = process.argv.slice(2)
const threads = Number(threadsText)
const llama = await getLlama({
  gpu: false,
  build: 'never',
  skipDownload: true,
  progressLogs: false,
  maxThreads: threads,
})
const model = await llama.loadModel({ modelPath: path, useMmap: false })
const context = await model.createContext({
  contextSize: Number(contextSize),
  sequences: 2,
  threads,
  flashAttention: flashAttention === 'false' ? false : 'auto',
})
const sequence = context.getSequence()

async function run({ text, outputTokens }: BareRequest): Promise<BareAnswer> {
  await sequence.clearHistory()
  const tokens = model.tokenize(text, true)
  const startedAt = performance.now()
  let firstAt = 0
  let written = 0
  for await (const _ of sequence.evaluate(tokens, { temperature: 0 })) {
    if (written++ === 0) firstAt = performance.now()
    if (written === outputTokens) break
  }
  return {
    promptTokens: tokens.length,
    outputTokens: written,
    readMs: firstAt - startedAt,
    writeMs: performance.now() - firstAt,
  }
}

process.on('message', message => void run(message as BareRequest).then(answer => process.send?.(answer)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
