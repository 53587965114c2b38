import type { LlamaContextSequence, Token } from 'node-llama-cpp'

/** Tokens that may be evaluated again where nobody can stop it. */
const worthRebuilding = 64

/**
 * Make the sequence hold the longest common beginning; at least one token is left to evaluate. Gives how many tokens it
 * holds then.
 */
export async function align(sequence: LlamaContextSequence, tokens: Token[]): Promise<number> {
  const { firstDifferentIndex } = sequence.compareContextTokens(tokens)
  await eraseAfter(sequence, Math.min(firstDifferentIndex, tokens.length - 1))
  return sequence.nextTokenIndex
}

/**
 * Forget all but the first `keep` tokens. Some architectures cannot forget an end only: there the library would evaluate the
 * beginning again, all at once, so they begin anew.
 */
export async function eraseAfter(sequence: LlamaContextSequence, keep: number): Promise<void> {
  const end = sequence.nextTokenIndex
  if (keep >= end) return
  const isRebuilt =
    sequence.needsCheckpoints && sequence.getRestoreToPrefixIndexEvaluationSize(keep) > worthRebuilding
  if (isRebuilt) await sequence.clearHistory()
  else await sequence.eraseContextTokenRanges([{ start: keep, end }])
}
