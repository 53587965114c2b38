import type { LlamaEmbeddingContext, LlamaModel } from 'node-llama-cpp'
import { openRuntime } from './runtime.ts'

/** Maximum number of tokens to encode per text. The encoder was trained on texts of at most that many. */
const MOST_TOKENS = 64

/** An encoder that is loaded. */
export type Embedder = {
  /** Encode texts as vectors of length 1. Throws if `signal` aborts. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
  close(): Promise<void>
}

/** Load an encoder, a GGUF file of the BERT family. It runs on one core, without the graphics card. */
export async function openEmbedder(path: string): Promise<Embedder> {
  const { llama } = await openRuntime('off')
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 })
  try {
    const context = await model.createEmbeddingContext({
      contextSize: MOST_TOKENS * 2,
      batchSize: MOST_TOKENS * 2,
      threads: 1,
    })
    return {
      async embed(texts, signal) {
        const vectors: Float32Array[] = []
        for (const text of texts) {
          signal.throwIfAborted()
          vectors.push(await embedOne(model, context, text))
        }
        return vectors
      },
      close: () => model.dispose(),
    }
  } catch (error) {
    await model.dispose()
    throw error
  }
}

async function embedOne(model: LlamaModel, context: LlamaEmbeddingContext, text: string) {
  const tokens = model.tokenize(text, false)
  if (tokens.length === 0) return new Float32Array(model.embeddingVectorSize)
  // The library adds one token before and one after these.
  const { vector } = await context.getEmbeddingFor(tokens.slice(0, MOST_TOKENS - 2))
  const length = Math.hypot(...vector) || 1
  return Float32Array.from(vector, each => each / length)
}
