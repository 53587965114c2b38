import type { LlamaModel, LlamaGrammar } from 'node-llama-cpp'
import type { Refusal } from '../../../../lib/expected-errors.ts'
import { forbiddenTokens, type Forbidden } from './forbidden-tokens.ts'

/** A compiled grammar, and the tokens to forbid in addition: inside a value, and in the text around it. */
export type Compiled = { grammar: LlamaGrammar; inValue: Forbidden; around: Forbidden }

/** Maximum number of cached grammars, enough for the tools of several parallel chats. */
const keptGrammars = 16

const caches = new WeakMap<LlamaModel, Map<string, Promise<Compiled | Refusal>>>()

/** Compile a grammar, or return it from the cache. `refused` is the library's reason for rejecting it. */
export function compiledGrammar(model: LlamaModel, gbnf: string): Promise<Compiled | Refusal> {
  const cache = caches.get(model) ?? new Map<string, Promise<Compiled | Refusal>>()
  caches.set(model, cache)
  const compiled = cache.get(gbnf) ?? compile(model, gbnf)
  // Reinsert, so that the least recently used grammar is evicted first.
  cache.delete(gbnf)
  cache.set(gbnf, compiled)
  for (const oldest of cache.keys()) {
    if (cache.size <= keptGrammars) break
    cache.delete(oldest)
  }
  return compiled
}

async function compile(model: LlamaModel, gbnf: string): Promise<Compiled | Refusal> {
  const forbidden = await forbiddenTokens(model)
  try {
    const grammar = await model.llama.createGrammar({ grammar: gbnf })
    return { grammar, inValue: forbidden.inCall(), around: forbidden.inCall(gbnf) }
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) }
  }
}
