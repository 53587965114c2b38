import { randomInt } from 'node:crypto'
import type { LlamaContextSequence, SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import type { Usage } from '../../../shared/contract/messages.ts'
import type { EngineFailure, Prompt, Sampling } from '../engine.ts'
import type { LoadedModel } from './load-model.ts'
import type { EngineResult } from './protocol.ts'
import { pieceSize } from './piece-size.ts'
import { startReply } from './reply-text.ts'
import { ContextFullError } from './sequence-pool.ts'

/** Where a completion reports to while it runs. */
export type Progress = {
  reading: (done: number, total: number) => void
  text: (text: string) => void
}

/** A reply shorter than this is not worth starting. */
const replyRoom = 64

/** Continue a conversation. What was evaluated for it before is not evaluated again. */
export async function complete(
  loaded: LoadedModel,
  prompt: Prompt,
  signal: AbortSignal,
  progress: Progress,
): Promise<EngineResult> {
  const startedAt = performance.now()
  const lease = await loaded.pool.lease(prompt.sessionId, signal)
  if (!lease) return { kind: 'stopped' }
  const { sequence } = lease
  try {
    const { tokens, opener } = loaded.writer.write(prompt.sessionId, prompt.messages)
    if (tokens.length + replyRoom > loaded.contextTokens) {
      return failed(contextFull(tokens.length, loaded.contextTokens))
    }
    const reused = await align(sequence, tokens)
    const read = await readPrompt(loaded, sequence, tokens, signal, progress)
    if (!read) return { kind: 'stopped' }
    const reply = await decode(loaded, { sequence, tokens, opener, prompt, signal, progress })
    if (reply.stop === 'stopped') return { kind: 'stopped' }
    const usage: Usage = {
      promptTokens: tokens.length,
      reusedTokens: reused,
      evaluatedTokens: tokens.length - reused,
      outputTokens: reply.count,
      contextTokens: loaded.contextTokens,
      firstTokenMs: round(reply.firstAt - startedAt),
      prefillPerSecond: round(speedOf(tokens.length - reused, reply.firstAt - read.startedAt)),
      tokensPerSecond: round(speedOf(reply.count - 1, reply.lastAt - reply.firstAt)),
    }
    return { kind: 'done', stop: reply.stop, usage }
  } catch (error) {
    // Whatever went wrong, the next request must not build on half of it.
    await sequence.clearHistory()
    if (error instanceof ContextFullError)
      return failed(contextFull(loaded.contextTokens, loaded.contextTokens))
    return { kind: 'failed', failure: broken(error), trace: traceOf(error) }
  } finally {
    lease.release()
  }
}

/** Make the sequence hold the longest common beginning; at least one token must be left to evaluate. */
async function align(sequence: LlamaContextSequence, tokens: Token[]): Promise<number> {
  const { firstDifferentIndex } = sequence.compareContextTokens(tokens)
  const keep = Math.min(firstDifferentIndex, tokens.length - 1)
  if (keep < sequence.nextTokenIndex) {
    await sequence.eraseContextTokenRanges([{ start: keep, end: sequence.nextTokenIndex }])
  }
  // Some architectures cannot forget an end only, and begin anew.
  return sequence.nextTokenIndex
}

/** Read the prompt up to its last piece, which is read together with the first token of the reply. */
async function readPrompt(
  loaded: LoadedModel,
  sequence: LlamaContextSequence,
  tokens: Token[],
  signal: AbortSignal,
  progress: Progress,
): Promise<{ startedAt: number } | undefined> {
  const startedAt = performance.now()
  const start = sequence.nextTokenIndex
  const total = tokens.length - start
  for (;;) {
    if (signal.aborted) return undefined
    const at = sequence.nextTokenIndex
    const piece = pieceSize(tokens.length - at, loaded.readingSpeed)
    if (piece < total) progress.reading(at - start, total)
    if (piece === tokens.length - at) return { startedAt }
    const before = performance.now()
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + piece))
    loaded.readingSpeed = speedOf(piece, performance.now() - before)
  }
}

type Decoding = {
  sequence: LlamaContextSequence
  tokens: Token[]
  opener: number
  prompt: Prompt
  signal: AbortSignal
  progress: Progress
}
type Decoded = { stop: 'end' | 'length' | 'stopped'; count: number; firstAt: number; lastAt: number }

async function decode(loaded: LoadedModel, run: Decoding): Promise<Decoded> {
  const { sequence, tokens, signal, progress } = run
  const reply = startReply(loaded.decode, loaded.endMarkers, tokens.slice(0, tokens.length - run.opener))
  let text = tokens.slice(tokens.length - run.opener).reduce((all, token) => all + reply.push(token).text, '')
  const room = loaded.contextTokens - tokens.length - 1
  const limit = Math.min(run.prompt.maxTokens ?? room, room)
  const decoded: Decoded = { stop: 'end', count: 0, firstAt: 0, lastAt: 0 }
  const rest = tokens.slice(sequence.nextTokenIndex)
  const iterator = sequence.evaluate(rest, samplingOptions(loaded.request.sampling, run.prompt.sampling))
  try {
    for (;;) {
      const { value: token } = await iterator.next()
      decoded.firstAt ||= performance.now()
      if (signal.aborted) decoded.stop = 'stopped'
      if (signal.aborted || token === undefined) break
      decoded.lastAt = performance.now()
      decoded.count++
      const step = reply.push(token)
      text += step.text
      if (text !== '') progress.text(text)
      text = ''
      if (step.ended) break
      if (decoded.count >= limit) {
        decoded.stop = 'length'
        break
      }
    }
  } finally {
    await iterator.return()
    const rest = reply.end()
    if (!signal.aborted && text + rest.text !== '') progress.text(text + rest.text)
    loaded.writer.keep(run.prompt.sessionId, rest.reply)
  }
  return decoded
}

/** An explicit seed, because the library's own is the time in seconds; never the whole vocabulary, which is slow. */
function samplingOptions(usual: Sampling, asked: Sampling = {}): SequenceEvaluateOptions {
  const { temperature = 0.7, topK = 40, topP = 0.95, minP = 0.05, seed } = { ...usual, ...asked }
  return { temperature, topK: topK > 0 ? topK : 200, topP, minP, seed: seed ?? randomInt(2 ** 32) }
}

const failed = (failure: EngineFailure): EngineResult => ({ kind: 'failed', failure })

function contextFull(tokens: number, contextTokens: number): EngineFailure {
  const count = (number: number) => number.toLocaleString('en-US')
  return {
    code: 'context_full',
    text: `This chat needs ${count(tokens)} tokens, and the model holds ${count(contextTokens)}.`,
    fix: 'Start a new chat, or raise the context size in the settings if the model allows it.',
  }
}

const broken = (error: unknown): EngineFailure => ({
  code: 'internal',
  text: `The model could not continue: ${error instanceof Error ? error.message : String(error)}`,
  fix: 'Try again; if it happens again, start a new chat.',
})

/** Where an error comes from, for the log. */
export const traceOf = (error: unknown): string => (error instanceof Error && error.stack) || String(error)

const speedOf = (tokens: number, ms: number): number => (tokens > 0 && ms > 0 ? (tokens * 1_000) / ms : 0)
const round = (value: number): number => Math.round(value * 10) / 10
