import type { LlamaContextSequence, Token } from 'node-llama-cpp'
import { samplingOptions } from './decode.ts'
import type { LoadedModel } from './load-model.ts'
import { pieceSize } from './piece-size.ts'
import { sampleText } from './protocol.ts'
import type { Speeds } from './protocol.ts'
import { speedOf } from './speed.ts'

const promptTokens = 512
const outputTokens = 64
/** Named like no chat. */
const sessionId = 'talaria:benchmark'

/**
 * How fast a loaded model reads a prompt and writes a reply, both as in a chat. Whoever else wants an answer shares the
 * machine with it. Throws when `signal` aborts.
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
      // The first piece pays for whatever is only now brought into memory.
      const warm = tokens.slice(0, 16)
      await lease.sequence.evaluateWithoutGeneratingNewTokens(warm)
      const readAt = performance.now()
      for (let at = warm.length; at < tokens.length;) {
        signal.throwIfAborted()
        const piece = pieceSize(tokens.length - at, loaded.readingSpeed, loaded.request.batch)
        const before = performance.now()
        const step = { position: at, tokens: piece, isTelling: loaded.pool.active === 1 }
        await loaded.threads.run('reading', step, () =>
          lease.sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + piece)),
        )
        loaded.readingSpeed = speedOf(piece, performance.now() - before)
        at += piece
      }
      const promptPerSecond = speedOf(tokens.length - warm.length, performance.now() - readAt)
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
    return speedOf(outputTokens, performance.now() - startedAt)
  } finally {
    await writer.return()
  }
}

/** As much text as is read in the measurement, and no more than the context has room for. */
function textOf({ model, contextTokens }: LoadedModel): Token[] {
  const some = model.tokenize(sampleText, false)
  const wanted = Math.min(promptTokens, contextTokens - outputTokens - 32)
  return Array.from({ length: wanted }, (_, index) => some[index % some.length]!)
}
