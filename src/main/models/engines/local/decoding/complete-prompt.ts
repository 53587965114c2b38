import type { Token } from 'node-llama-cpp'
import type { Usage } from '../../../../../shared/contract/chats/messages.ts'
import { isTemporaryId } from '../../../../../shared/text/temporary-chats.ts'
import type { EngineFailure, Prompt } from '../../../interface/engine.ts'
import { openedBy } from '../../../formats/reader/call-reader.ts'
import { decodeReply } from './decode-reply.ts'
import type { LoadedModel } from '../process/load-model.ts'
import { type EngineResult, type Progress, batchTokens } from '../process/protocol.ts'
import { ContextFullError, type SequenceLease } from './sequence-pool.ts'
import { alignTokens, backgroundChunk } from './sequence-tokens.ts'
import { worthRestoring } from '../states/state-store.ts'

/** Minimum number of free tokens for a reply. With fewer, the reply is not started. */
const replyRoom = 64

/**
 * Continue a conversation. Reuses tokens that were evaluated before, in memory or on disk. While a foreground
 * answer is running, background work waits between two steps.
 */
export async function completePrompt(
  loaded: LoadedModel,
  prompt: Prompt,
  signal: AbortSignal,
  progress: Progress,
): Promise<EngineResult> {
  const startedAt = performance.now()
  const isBackground = prompt.priority === 'background'
  const leave = isBackground ? () => {} : loaded.gate.enter()
  try {
    const lease = await loaded.pool.lease({ sessionId: prompt.sessionId, isBackground }, signal)
    if (!lease) return { kind: 'stopped' }
    try {
      return await answer(loaded, { prompt, lease, isBackground, startedAt, signal, progress })
    } catch (error) {
      // After an error the sequence may be inconsistent, so the next request must not build on it.
      await lease.clear()
      if (error instanceof ContextFullError)
        return failed(contextFull(loaded.contextTokens, loaded.contextTokens))
      return { kind: 'failed', failure: broken(error), trace: traceOf(error) }
    } finally {
      lease.release()
    }
  } finally {
    leave()
  }
}

type Answering = {
  prompt: Prompt
  lease: SequenceLease
  isBackground: boolean
  startedAt: number
  signal: AbortSignal
  progress: Progress
}

async function answer(loaded: LoadedModel, run: Answering): Promise<EngineResult> {
  const { prompt, lease, isBackground, startedAt, signal, progress } = run
  const { sequence } = lease
  await recallReplies(loaded, prompt.sessionId)
  const { tokens, opener, frozen, end, refusal } = loaded.writer.write(prompt)
  if (refusal) progress.refused?.(refusal)
  if (tokens.length + replyRoom > loaded.contextTokens) {
    return failed(contextFull(tokens.length, loaded.contextTokens))
  }
  const { firstDifferentIndex: held } = sequence.compareContextTokens(tokens)
  const restored = (await loaded.states?.restore(sequence, tokens, held, prompt.sessionId)) ?? 0
  const reused = await alignTokens(sequence, tokens)
  // The instructions may contain private text of this chat, and nothing of a temporary chat is saved.
  const saved = isTemporaryId(prompt.sessionId) ? 0 : frozen
  const read = await readPrompt(loaded, { lease, tokens, frozen: saved, isBackground, progress })
  if (!read) return { kind: 'stopped' }
  const counts = { promptTokens: tokens.length, reusedTokens: reused, contextTokens: loaded.contextTokens }
  progress.read?.(counts)
  const pass = isBackground ? lease.pass : undefined
  const opened = openedBy(end)
  if (opened !== '') progress.open?.(opened)
  const reply = await decodeReply(loaded, { sequence, tokens, opener, prompt, signal, progress, pass })
  if (reply.stop === 'stopped') return { kind: 'stopped' }
  const usage: Usage = {
    ...counts,
    ...(restored > 0 && { restoredTokens: Math.min(restored, reused) }),
    evaluatedTokens: tokens.length - reused,
    outputTokens: reply.count,
    firstTokenMs: round(reply.firstAt - startedAt),
    prefillPerSecond: round(tokensPerSecond(tokens.length - reused, reply.firstAt - read.startedAt)),
    tokensPerSecond: round(tokensPerSecond(reply.count - 1, reply.lastAt - reply.firstAt)),
  }
  const troubles = [reply.trouble, loaded.states?.trouble()].filter(trouble => trouble !== undefined)
  return {
    kind: 'done',
    stop: reply.stop,
    usage,
    ...(troubles.length > 0 && { trouble: troubles.join(' ') }),
  }
}

/** Load the tokens of a chat's replies as another engine saved them: the text may give other tokens. */
async function recallReplies({ writer, states }: LoadedModel, sessionId: string): Promise<void> {
  if (!states || writer.kept(sessionId)) return
  for (const reply of await states.repliesOf(sessionId)) writer.keep(sessionId, reply)
}

const failed = (failure: EngineFailure): EngineResult => ({ kind: 'failed', failure })

function contextFull(tokens: number, contextTokens: number): EngineFailure {
  const count = (number: number) => number.toLocaleString('en-US')
  return {
    code: 'context_full',
    text: `This chat needs ${count(tokens)} tokens, and the model holds ${count(contextTokens)}.`,
    fix: 'Start a new chat, or raise the context size in the settings if the model allows it.',
    tokens: { needed: tokens, holds: contextTokens },
  }
}

const broken = (error: unknown): EngineFailure => ({
  code: 'internal',
  text: `The model could not continue: ${error instanceof Error ? error.message : String(error)}`,
  fix: 'Try again; if it happens again, start a new chat.',
})

/** Return the stack of an error, for the log. */
export const traceOf = (error: unknown): string => (error instanceof Error && error.stack) || String(error)

const round = (value: number): number => Math.round(value * 10) / 10

type Reading = {
  lease: SequenceLease
  tokens: Token[]
  /** How many of the tokens are instructions that other chats also start with. */
  frozen: number
  isBackground: boolean
  progress: Progress
}

/**
 * Read the prompt up to its last chunk, which is read together with the first token of the reply. Saves the
 * state at the end of the instructions, unless it is saved already. Undefined if stopped.
 */
async function readPrompt(loaded: LoadedModel, run: Reading): Promise<{ startedAt: number } | undefined> {
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
      ? Math.min(left, backgroundChunk, loaded.request.batch)
      : nextChunkSize(left, loaded.readingSpeed, loaded.request.batch)
    if (piece < total) progress.reading(at - start, total)
    if (at + piece === tokens.length) return { startedAt }
    const before = performance.now()
    const step = { position: at, tokens: piece, isTelling: loaded.pool.active === 1 }
    await loaded.threads.run('reading', step, () =>
      sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + piece)),
    )
    loaded.readingSpeed = tokensPerSecond(piece, performance.now() - before)
  }
}

/** Return the end of the instructions if they are long and mostly not on disk yet; otherwise undefined. */
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

/** Return tokens per second; 0 if there is nothing to measure. */
export const tokensPerSecond = (tokens: number, ms: number): number =>
  tokens > 0 && ms > 0 ? (tokens * 1_000) / ms : 0

/** Target duration of a chunk, and so the longest delay before a stop takes effect. */
const pieceMs = 200
/** Attention is computed in blocks of this many tokens. Smaller chunks make reading a fifth slower. */
const tile = 64
/** Maximum remainder to read with the chunk before it. Alone it would cost a pass through the weights. */
const smallest = 16

/**
 * Return how many of the remaining tokens to read next, at a speed in tokens per second (0 if unknown).
 * Chunks are whole tiles, except for the last one, and never longer than the batch.
 */
export function nextChunkSize(left: number, speed: number, most = batchTokens): number {
  const tiles = Math.floor((speed * pieceMs) / 1_000 / tile)
  const size = Math.min(Math.max(tiles, 1) * tile, most)
  const isLast = left < size + smallest && left <= most
  return isLast ? left : size
}
