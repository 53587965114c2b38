import type { LlamaContextSequence, LlamaGrammar, LlamaModel } from 'node-llama-cpp'
import { randomModel } from '../gguf/cached.ts'
import { openRuntime } from '../../src/main/models/engines/local/process/runtime.ts'

/** A model with random weights that writes whatever a grammar allows. */
export type ForcedModel = {
  /** Throws if llama.cpp rejects the grammar. */
  compile(gbnf: string): Promise<LlamaGrammar>
  /** Whether llama.cpp itself accepts the whole text. */
  takes(grammar: LlamaGrammar, text: string): boolean
  /** The model's output from the first token until the grammar allows no more. */
  write(grammar: LlamaGrammar, seed: number): Promise<string>
  close(): Promise<void>
}

const MOST_TOKENS = 4_000

/**
 * Load the smallest test model. Of the tokens that are parts of characters, it may use those needed for
 * `marks`.
 */
export async function openForcedModel(marks = ''): Promise<ForcedModel> {
  const { LlamaGrammarEvaluationState, TokenBias } = await import('node-llama-cpp')
  const { llama } = await openRuntime('off')
  const model = await llama.loadModel({ modelPath: randomModel({ preset: 'tiny' }) })
  const context = await model.createContext({ contextSize: 4_096, threads: 1 })
  const sequence: LlamaContextSequence = context.getSequence()
  const bias = new TokenBias(model.tokenizer)
  const needed = new Set(model.tokenize(marks, false))
  for (const token of neverIn(model)) if (!needed.has(token)) bias.set(token, 'never')
  // Without this bias, the model writes lists of maximum length, which takes too long.
  for (const end of [']', '`']) bias.set(model.tokenize(end, false), { logit: 6 })
  const prompt = model.tokenize('<|im_start|>assistant\n', true)

  return {
    compile: gbnf => llama.createGrammar({ grammar: gbnf }),
    takes: (grammar, text) => (grammar as unknown as { _testText(text: string): boolean })._testText(text),
    async write(grammar, seed) {
      await sequence.clearHistory()
      const state = new LlamaGrammarEvaluationState({ model, grammar })
      const tokens = []
      const sampling = { temperature: 1, topK: 0, topP: 1, seed, tokenBias: () => bias }
      for await (const token of sequence.evaluate(prompt, {
        ...sampling,
        grammarEvaluationState: () => state,
      })) {
        tokens.push(token)
        if (tokens.length > MOST_TOKENS) throw new Error(`it does not end: ${model.detokenize(tokens, true)}`)
      }
      return model.detokenize(tokens, true)
    },
    async close() {
      await context.dispose()
      await model.dispose()
    },
  }
}

/**
 * Tokens that a trained model would not write in a call: control tokens, whose text a grammar accepts like
 * any other, and parts of characters.
 */
function* neverIn(model: LlamaModel) {
  for (const token of model.iterateAllTokens()) {
    const isControl = model.getTokenAttributes(token).control && !model.isEogToken(token)
    if (isControl || model.detokenize([token]).includes('\uFFFD')) yield token
  }
}
