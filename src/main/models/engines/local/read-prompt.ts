import type { Token } from 'node-llama-cpp'
import type { LoadedModel } from './load-model.ts'
import { pieceSize } from './piece-size.ts'
import type { Progress } from './protocol.ts'
import { backgroundPiece } from './sequence-contents.ts'
import type { SequenceLease } from './sequence-pool.ts'
import { speedOf } from './speed.ts'
import { worthRestoring } from './states/state-store.ts'

type Reading = {
  lease: SequenceLease
  tokens: Token[]
  /** How many of the tokens are the instructions that other chats begin with as well. */
  frozen: number
  isBackground: boolean
  progress: Progress
}

/**
 * Read the prompt up to its last piece, which is read together with the first token of the reply. Where the instructions
 * end the state is saved, unless it was before. Undefined when it was stopped.
 */
export async function readPrompt(
  loaded: LoadedModel,
  run: Reading,
): Promise<{ startedAt: number } | undefined> {
  const startedAt = performance.now()
  const { tokens, lease, progress } = run
  const { sequence } = lease
  const start = sequence.nextTokenIndex
  const total = tokens.length - start
  let saveAt = await whereToSave(loaded, run)
  for (;;) {
    if (!(await lease.pass())) return undefined
    const at = sequence.nextTokenIndex
    if (at === saveAt) {
      await loaded.states?.save(sequence, 'prompt')
      saveAt = undefined
    }
    const left = (saveAt ?? tokens.length) - at
    const piece = run.isBackground
      ? Math.min(left, backgroundPiece, loaded.request.batch)
      : pieceSize(left, loaded.readingSpeed, loaded.request.batch)
    if (piece < total) progress.reading(at - start, total)
    if (at + piece === tokens.length) return { startedAt }
    const before = performance.now()
    const step = { position: at, tokens: piece, isTelling: loaded.pool.active === 1 }
    await loaded.threads.run('reading', step, () =>
      sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + piece)),
    )
    loaded.readingSpeed = speedOf(piece, performance.now() - before)
  }
}

/** The end of the instructions, if they are long enough and most of them are not on disk yet; otherwise undefined. */
async function whereToSave(
  { states }: LoadedModel,
  { lease, tokens, frozen }: Reading,
): Promise<number | undefined> {
  const { sequence } = lease
  if (!states || frozen < worthRestoring || frozen >= tokens.length) return undefined
  if (sequence.nextTokenIndex > frozen) return undefined
  const instructions = tokens.slice(0, frozen)
  const covered = await states.covered(sequence, instructions)
  return frozen - covered >= worthRestoring ? frozen : undefined
}
