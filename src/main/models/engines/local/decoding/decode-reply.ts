import { randomInt } from 'node:crypto'
import type { LlamaContextSequence, LlamaModel, SequenceEvaluateOptions, Token } from 'node-llama-cpp'
import type { Prompt, Sampling } from '../../../interface/engine.ts'
import { alignTokens } from './sequence-tokens.ts'
import { constrainReply } from './constrain-reply.ts'
import { copiedWords } from './copied-words.ts'
import type { Progress } from '../process/protocol.ts'
import type { LoadedModel } from '../process/load-model.ts'
import { addsSpace } from '../templates/prompt-tokens.ts'
import { startReply } from './reply-text.ts'

type Decoding = {
  sequence: LlamaContextSequence
  tokens: Token[]
  opener: number
  prompt: Prompt
  signal: AbortSignal
  progress: Progress
  /** For background work: waits before every step, and returns whether to continue. */
  pass?: (() => Promise<boolean>) | undefined
}
/** The end of a reply. `count`: sampled tokens. `trouble`: which grammar could not be used, and why. */
export type Decoded = {
  stop: 'end' | 'length' | 'stopped'
  count: number
  firstAt: number
  lastAt: number
  trouble?: string
}

/** Maximum share of the remaining context for one call without a token limit: a runaway string never ends. */
const shareOfCall = 0.5
/** Maximum number of tokens in a row without text. Some broken models write nothing but special tokens. */
const MOST_SILENT = 200
/** How many of the last tokens a repeat penalty looks at, as in llama.cpp. */
const PENALISED = 64
/** Maximum number of candidates. With more, sampling takes three times as long on a large vocabulary. */
const mostCandidates = 128

/** Write the reply token by token until it ends, is stopped, or fills the context. */
export async function decodeReply(loaded: LoadedModel, run: Decoding): Promise<Decoded> {
  const { sequence, signal, progress, prompt } = run
  const before = run.tokens.slice(0, run.tokens.length - run.opener)
  const reply = startReply(loaded.decode, loaded.endMarkers, before)
  const constrained = await constrainReply(loaded.model, reply, prompt.constraints ?? [], {
    decode: loaded.decode,
    read: textReader(loaded.model),
    words: copiedWords(loaded.model, prompt.messages),
  })
  const begun = constrained.begin(run.tokens.slice(before.length))
  const tokens = [...before, ...begun.tokens]
  if (constrained.owed > 0) await alignTokens(sequence, tokens)
  let room = loaded.contextTokens - tokens.length - 1
  const limit = prompt.maxTokens ?? room
  const longestCall = prompt.maxTokens ?? Math.floor(room * shareOfCall)
  const decoded: Decoded = { stop: 'end', count: 0, firstAt: 0, lastAt: 0 }
  let { text } = begun
  // The earlier text is already shown. Its end may be decoded later, if it looked like the start of a mark.
  let old = prompt.written ? loaded.decode(run.tokens.slice(before.length), before.slice(-1)).length : 0
  const tell = (all: string) => {
    const added = all.slice(old)
    old -= all.length - added.length
    if (added !== '') progress.text(added)
  }
  let instead: Token[] | undefined
  let silent = 0
  const written: Token[] = []
  // Calls repeat names and punctuation, so they get no penalty.
  const latest = () => (constrained.held > 0 ? [] : written.slice(-PENALISED))
  const iterator = sequence.evaluate(tokens.slice(sequence.nextTokenIndex), {
    ...samplingOptions(loaded.request.sampling, prompt.sampling, latest),
    ...constrained.options,
  })
  try {
    for (;;) {
      if (run.pass && !(await run.pass())) {
        decoded.stop = 'stopped'
        break
      }
      const isFirst = decoded.firstAt === 0
      const position = sequence.nextTokenIndex
      const at = {
        position,
        // The last chunk of the prompt is evaluated together with the first token.
        tokens: isFirst ? tokens.length - position : 1,
        // The duration is not representative if a grammar rejects candidates or another reply is running.
        isTelling: constrained.held === 0 && loaded.pool.active === 1,
      }
      const { value: token } = await loaded.threads.run(isFirst ? 'reading' : 'writing', at, () =>
        iterator.next(instead),
      )
      decoded.firstAt ||= performance.now()
      if (signal.aborted) decoded.stop = 'stopped'
      if (signal.aborted || token === undefined) break
      if (constrained.held === 0 && loaded.endTokens.has(token)) break
      decoded.lastAt = performance.now()
      if (constrained.owed === 0) decoded.count++
      written.push(token)
      const step = constrained.take(token)
      instead = step.instead
      text += step.text
      tell(text)
      text = ''
      room -= instead?.length ?? 1
      silent = step.text === '' && constrained.held === 0 ? silent + 1 : 0
      if (step.ended || silent > MOST_SILENT) break
      if (decoded.count >= limit || room <= 0 || constrained.held >= longestCall) {
        decoded.stop = 'length'
        break
      }
    }
  } finally {
    await iterator.return()
    const rest = reply.end()
    if (!signal.aborted) tell(text + rest.text)
    loaded.writer.keep(prompt.sessionId, rest.reply)
  }
  if (constrained.trouble !== undefined) decoded.trouble = constrained.trouble
  return decoded
}

/** Return a tokenizer for text from the middle of a reply. Markup is plain text. */
function textReader(model: LlamaModel): (text: string) => Token[] {
  const isSpaced = addsSpace(model)
  return text => model.tokenize(text, false, isSpaced ? 'trimLeadingSpace' : undefined)
}

/**
 * Build the sampling options. Sets a seed, because the library's default is the time in seconds. Never
 * samples the whole vocabulary, which is slow. `written` returns the tokens that a repeat penalty looks at.
 */
export function samplingOptions(
  usual: Sampling,
  asked: Sampling = {},
  written: () => Token[] = () => [],
): SequenceEvaluateOptions {
  const {
    temperature = 0.7,
    topK = 40,
    topP = 0.95,
    minP = 0.05,
    seed,
    repeatPenalty,
  } = { ...usual, ...asked }
  const penalty = repeatPenalty !== undefined && {
    repeatPenalty: { penalty: repeatPenalty, punishTokens: written },
  }
  const candidates = topK > 0 ? Math.min(topK, mostCandidates) : mostCandidates
  return { temperature, topK: candidates, topP, minP, seed: seed ?? randomInt(2 ** 32), ...penalty }
}
