import type { Usage } from '../../../../shared/contract/messages.ts'
import type { EngineFailure, Prompt } from '../../engine.ts'
import { alignTokens } from './sequence-tokens.ts'
import { decodeReply } from './decode.ts'
import type { LoadedModel } from './load-model.ts'
import type { EngineResult, Progress } from './protocol.ts'
import { readPrompt, tokensPerSecond } from './read-prompt.ts'
import { ContextFullError, type SequenceLease } from './sequence-pool.ts'

/** Minimum room for a reply, in tokens. With less, it is not started. */
const replyRoom = 64

/**
 * Continue a conversation. Reuses tokens that were evaluated before, in memory or on disk. While a foreground answer
 * is running, background work waits between two steps.
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
  const { tokens, opener, frozen } = loaded.writer.write(prompt)
  if (tokens.length + replyRoom > loaded.contextTokens) {
    return failed(contextFull(tokens.length, loaded.contextTokens))
  }
  const { firstDifferentIndex: held } = sequence.compareContextTokens(tokens)
  const restored = (await loaded.states?.restore(sequence, tokens, held)) ?? 0
  const reused = await alignTokens(sequence, tokens)
  const read = await readPrompt(loaded, { lease, tokens, frozen, isBackground, progress })
  if (!read) return { kind: 'stopped' }
  const pass = isBackground ? lease.pass : undefined
  const reply = await decodeReply(loaded, { sequence, tokens, opener, prompt, signal, progress, pass })
  if (reply.stop === 'stopped') return { kind: 'stopped' }
  const usage: Usage = {
    promptTokens: tokens.length,
    reusedTokens: reused,
    ...(restored > 0 && { restoredTokens: Math.min(restored, reused) }),
    evaluatedTokens: tokens.length - reused,
    outputTokens: reply.count,
    contextTokens: loaded.contextTokens,
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

/** The stack of an error, for the log. */
export const traceOf = (error: unknown): string => (error instanceof Error && error.stack) || String(error)

const round = (value: number): number => Math.round(value * 10) / 10
