import type { Advice } from '../../../shared/contract/chats/messages.ts'
import { newId } from '../../lib/ids.ts'
import { isFailure, type EngineFailure, type LlmEngine, type WireMessage } from '../interface/engine.ts'
import { estimateTokens } from '../../../shared/text/estimate-tokens.ts'

/** One message of the user or of the answering model, as plain text. */
export type Said = { role: 'user' | 'assistant'; text: string }

/** The question for references. The last entry of `said` is the one to advise on. */
export type ReferenceQuestion = { system: string; said: readonly Said[] }

/** The answer of one reference, or why there is none. */
export type Given = Advice['given'][number]

/** A model to ask. Models of this computer share its memory, so they are asked one after the other. */
export type Reference = { id: string; name: string; isLocal: boolean }

type Asking = {
  engineFor(this: void, id: string): Promise<LlmEngine | EngineFailure>
  /** Drop what the local engine keeps of a question. */
  forget(this: void, sessionId: string): Promise<void>
  /** Maximum time for each reference, in ms. */
  waitMs: number
  /** Maximum length of a text: tokens to write, and characters to keep; by default those of advice. */
  most?: { tokens: number; chars: number }
  /** Called with each answer as soon as it is complete, but not after a stop. */
  onGiven?(this: void, given: Given): void
}

/** Maximum length of advice. */
export const ADVICE_TOKENS = 1_200
const ADVICE = { tokens: ADVICE_TOKENS, chars: 8_000 }
/** How many tokens a chat template adds around a message. */
const TEMPLATE_TOKENS = 8

/**
 * Ask each reference the question, without tools: servers in parallel, models of this computer one after the
 * other. Resolves after all have answered, failed or timed out, in the order of the references. `question`
 * may be a function of the context window in tokens. Never rejects.
 */
export async function askReferences(
  references: readonly Reference[],
  question: ReferenceQuestion | ((contextTokens: number) => ReferenceQuestion),
  asking: Asking,
  signal: AbortSignal,
): Promise<Given[]> {
  let local: Promise<unknown> = Promise.resolve()
  return Promise.all(
    references.map(reference => {
      const ask = async () => {
        const given = await askReference(reference, question, asking, signal)
        if (!signal.aborted) asking.onGiven?.(given)
        return given
      }
      if (!reference.isLocal) return ask()
      const mine = local.then(ask)
      local = mine
      return mine
    }),
  )
}

async function askReference(
  { id, name }: Reference,
  question: Parameters<typeof askReferences>[1],
  { engineFor, forget, waitMs, most = ADVICE }: Asking,
  signal: AbortSignal,
): Promise<Given> {
  const left = (problem: string) => ({ model: name, text: '', problem })
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), waitMs)
  const stop = AbortSignal.any([signal, late.signal])
  const sessionId = newId('ask')
  try {
    if (signal.aborted) return left(STOPPED)
    const engine = await engineFor(id)
    if (isFailure(engine)) return left(sentence(engine))
    const profile = await engine.profile()
    if (isFailure(profile)) return left(sentence(profile))
    const { contextTokens } = profile
    const asked = typeof question === 'function' ? question(contextTokens) : question
    const messages = fitQuestion(asked, { contextTokens, write: most.tokens }, text => engine.count(text))
    if (!messages) return left(`The message is too long for its context of ${contextTokens} tokens.`)
    let text = ''
    let hasEnded = false
    for await (const event of engine.complete(
      { sessionId, messages, tools: [], maxTokens: most.tokens },
      stop,
    )) {
      if (event.type === 'text') text += event.text
      if (event.type === 'failed') return left(sentence(event))
      hasEnded ||= event.type === 'done'
    }
    if (signal.aborted) return left(STOPPED)
    if (!hasEnded && late.signal.aborted)
      return left(`It did not answer within ${Math.round(waitMs / 1_000)} seconds.`)
    const said = withoutThoughts(text).slice(0, most.chars).toWellFormed().trim()
    return said === '' ? left('It answered with nothing.') : { model: name, text: said }
  } catch (error) {
    return left(error instanceof Error ? error.message : 'It failed.')
  } finally {
    clearTimeout(timer)
    await forget(sessionId).catch(() => undefined)
  }
}

const STOPPED = 'Stopped.'
const sentence = ({ text, fix }: Pick<EngineFailure, 'text' | 'fix'>) => `${text} ${fix}`.trim()

/** Remove the thoughts that some servers leave in an answer. */
const withoutThoughts = (text: string): string =>
  text.replace(/<think>[\s\S]*?<\/think>/g, '').replace(/^[\s\S]*<\/think>/, '')

/**
 * Convert a question to messages that fit a context window, dropping the oldest. Undefined if not even the
 * last message fits. The messages start with the user, and roles alternate.
 */
function fitQuestion(
  { system, said }: ReferenceQuestion,
  { contextTokens, write }: { contextTokens: number; write: number },
  count: (text: string) => number = estimateTokens,
): WireMessage[] | undefined {
  const most = contextTokens - Math.min(write, contextTokens / 4) - count(system) - TEMPLATE_TOKENS
  let used = 0
  let from = said.length
  for (let at = said.length - 1; at >= 0; at--) {
    used += count(said[at]!.text) + TEMPLATE_TOKENS
    if (used > most) break
    if (said[at]!.role === 'user') from = at
  }
  if (from === said.length) return undefined
  const messages: WireMessage[] = [{ role: 'system', text: system }]
  for (const { role, text } of said.slice(from)) {
    const last = messages.at(-1)!
    if (last.role === role) last.text += `\n\n${text}`
    else messages.push({ role, text })
  }
  return messages
}
