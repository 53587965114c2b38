import { eraseAfter } from './align.ts'
import type { Contents } from './sequence-pool.ts'
import type { StateStore } from './states/state-store.ts'

/** Background work reads so many tokens at once: whoever comes waits for no more than that. */
export const backgroundPiece = 64
/** A history is saved when so many of its tokens would have to be evaluated again: that takes seconds, saving a third of one. */
const worthKeeping = 512

/** What happens to the tokens of conversations that share a place. Without a store they are evaluated again. */
export function createContents(states: StateStore | undefined): Contents {
  return {
    async keep(sequence) {
      if (!states || sequence.nextTokenIndex < worthKeeping) return
      const covered = await states.covered(sequence, sequence.contextTokens)
      if (sequence.nextTokenIndex - covered >= worthKeeping) await states.save(sequence, 'chat')
    },
    async refill(sequence, tokens, goesOn) {
      const held = sequence.compareContextTokens(tokens).firstDifferentIndex
      await states?.restore(sequence, tokens, held)
      await eraseAfter(sequence, sequence.compareContextTokens(tokens).firstDifferentIndex)
      while (goesOn() && sequence.nextTokenIndex < tokens.length) {
        const at = sequence.nextTokenIndex
        await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + backgroundPiece))
      }
    },
  }
}
