import type { LlamaContextSequence, Token } from 'node-llama-cpp'
import { samplingOptions } from '../decoding/decode-reply.ts'
import type { LoadedModel } from './load-model.ts'
import { nextChunkSize, tokensPerSecond } from '../decoding/complete-prompt.ts'
import { sampleText, type Speeds } from './protocol.ts'

const promptTokens = 512
const outputTokens = 64
/** The session of a measurement, an id that no chat can have. */
const sessionId = 'talaria:benchmark'

/**
 * Measure how fast a loaded model reads a prompt and writes a reply, under the conditions of a chat. Other
 * requests share the machine with it. Throws if `signal` aborts.
 */
export async function measureSpeed(
  loaded: LoadedModel,
  signal: AbortSignal,
): Promise<Omit<Speeds, 'threads'>> {
  const leave = loaded.gate.enter()
  try {
    const lease = await loaded.pool.lease({ sessionId, isBackground: false }, signal)
    signal.throwIfAborted()
    if (!lease) throw new Error('There was no place for a measurement.')
    try {
      await lease.clear()
      const tokens = textOf(loaded)
      // Warm up: the first chunk also pays for paging in the weights.
      const warm = tokens.slice(0, 16)
      await lease.sequence.evaluateWithoutGeneratingNewTokens(warm)
      const readAt = performance.now()
      for (let at = warm.length; at < tokens.length;) {
        signal.throwIfAborted()
        const piece = nextChunkSize(tokens.length - at, loaded.readingSpeed, loaded.request.batch)
        const before = performance.now()
        const step = { position: at, tokens: piece, isTelling: loaded.pool.active === 1 }
        await loaded.threads.run('reading', step, () =>
          lease.sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + piece)),
        )
        loaded.readingSpeed = tokensPerSecond(piece, performance.now() - before)
        at += piece
      }
      const promptPerSecond = tokensPerSecond(tokens.length - warm.length, performance.now() - readAt)
      const writePerSecond = await write(loaded, lease.sequence, tokens[0]!, signal)
      return { promptPerSecond, writePerSecond }
    } finally {
      await lease.clear()
      lease.release()
      loaded.pool.forget(sessionId)
    }
  } finally {
    leave()
  }
}

async function write(
  { request, threads, pool }: LoadedModel,
  sequence: LlamaContextSequence,
  first: Token,
  signal: AbortSignal,
): Promise<number> {
  const writer = sequence.evaluate([first], { ...samplingOptions(request.sampling), yieldEogToken: true })
  try {
    await writer.next()
    const startedAt = performance.now()
    for (let count = 0; count < outputTokens; count++) {
      signal.throwIfAborted()
      const step = { position: sequence.nextTokenIndex, tokens: 1, isTelling: pool.active === 1 }
      await threads.run('writing', step, () => writer.next())
    }
    return tokensPerSecond(outputTokens, performance.now() - startedAt)
  } finally {
    await writer.return()
  }
}

/** Return the text to read, limited to what fits the context. */
function textOf({ model, contextTokens }: LoadedModel): Token[] {
  const some = model.tokenize(sampleText, false)
  const wanted = Math.min(promptTokens, contextTokens - outputTokens - 32)
  return Array.from({ length: wanted }, (_, index) => some[index % some.length]!)
}
