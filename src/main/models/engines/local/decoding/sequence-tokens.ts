import type { SequenceStore } from './sequence-pool.ts'
import type { StateStore } from '../states/state-store.ts'
import type { Reply } from './reply-text.ts'
import type { LlamaContextSequence, Token } from 'node-llama-cpp'

/** Maximum number of tokens to re-evaluate in one uninterruptible step. */
const worthRebuilding = 64

/**
 * Keep the longest common prefix of the sequence and `tokens`, leaving at least one token to evaluate.
 * Returns the number of tokens kept.
 */
export async function alignTokens(sequence: LlamaContextSequence, tokens: Token[]): Promise<number> {
  const { firstDifferentIndex } = sequence.compareContextTokens(tokens)
  await eraseAfter(sequence, Math.min(firstDifferentIndex, tokens.length - 1))
  return sequence.nextTokenIndex
}

/**
 * Erase all but the first `keep` tokens. Some architectures cannot erase only an end. For them the library
 * would re-evaluate the start in one step, so erase everything instead.
 */
async function eraseAfter(sequence: LlamaContextSequence, keep: number): Promise<void> {
  const end = sequence.nextTokenIndex
  if (keep >= end) return
  const isRebuilt =
    sequence.needsCheckpoints && sequence.getRestoreToPrefixIndexEvaluationSize(keep) > worthRebuilding
  if (isRebuilt) await sequence.clearHistory()
  else await sequence.eraseContextTokenRanges([{ start: keep, end }])
}

/** Chunk size of background work, in tokens. It limits how long a foreground request waits. */
export const backgroundChunk = 64
/**
 * Save a history if at least this many of its tokens would have to be evaluated again: that takes seconds,
 * and saving takes a third of a second.
 */
const worthKeeping = 512

/** Create the store for conversations that share a sequence. Without `states`, tokens are evaluated again. */
export function createSequenceStore(
  states: StateStore | undefined,
  repliesOf: (sessionId: string) => readonly Reply[],
): SequenceStore {
  return {
    async keep(sequence, sessionId) {
      if (!states || sequence.nextTokenIndex < worthKeeping) return
      const covered = await states.covered(sequence, sequence.contextTokens, sessionId)
      if (sequence.nextTokenIndex - covered < worthKeeping) return
      const chat = sessionId === undefined ? undefined : { sessionId, replies: repliesOf(sessionId) }
      await states.save(sequence, 'chat', chat)
    },
    async refill(sequence, tokens, goesOn) {
      const held = sequence.compareContextTokens(tokens).firstDifferentIndex
      await states?.restore(sequence, tokens, held)
      await eraseAfter(sequence, sequence.compareContextTokens(tokens).firstDifferentIndex)
      while (goesOn() && sequence.nextTokenIndex < tokens.length) {
        const at = sequence.nextTokenIndex
        await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + backgroundChunk))
      }
    },
  }
}
