import { z } from 'zod'
import type { Message, Usage } from '../../../shared/contract/chats/messages.ts'
import { fitHistory } from '../../agent/fit-history.ts'
import type { OmittedHistory } from '../../agent/fit-turn.ts'
import type { Turn } from '../../agent/turn-types.ts'
import { answerConstraint } from '../../models/formats/grammar/constraint.ts'
import type { EngineFailure } from '../../models/interface/engine.ts'
import { TRIAGE_SCHEMA, triagePrompt, type ReviewQuestion } from './review-prompts.ts'

/** The triage result. `unsure`: the answer could not be parsed, so the full review decides. */
export type Triage =
  | { found: 'nothing' | 'unsure'; usage: Usage | undefined }
  | { found: 'something'; noticed: string; usage: Usage | undefined }
  | { found: 'failed'; text: string; code: EngineFailure['code']; usage: undefined }

type Asker = Pick<
  Turn,
  'engine' | 'strategy' | 'system' | 'sessionId' | 'priority' | 'purpose' | 'contextTokens' | 'tools'
>

const Answer = z.object({
  worth: z.boolean(),
  facts: z.array(z.string()).default([]),
  procedure: z.string().nullish(),
})

/** Maximum number of tokens of the answer: enough for five facts and a procedure. */
const MAX_TOKENS = 320
/** Attempts if the engine rejects the conversation as too long; each attempt shows less of it. */
const MAX_ATTEMPTS = 3

/**
 * Ask whether anything in a conversation is worth a review: one short answer, constrained to JSON where the
 * engine supports it, directly after the conversation whose evaluated prefix is still cached.
 */
export async function triageConversation(
  turn: Asker,
  messages: readonly Message[],
  question: ReviewQuestion,
  omitted: OmittedHistory,
  signal: AbortSignal,
): Promise<Triage> {
  const asked: Message = {
    role: 'user',
    id: Number.MAX_SAFE_INTEGER,
    sessionId: turn.sessionId,
    at: 0,
    text: triagePrompt(question),
  }
  for (let attempt = 1; ; attempt++) {
    const shown = fitHistory(turn, [...messages, asked], omitted, attempt)
    const answer = await ask(turn, shown.messages, signal)
    if ('text' in answer) return { ...understood(answer.text, question), usage: answer.usage }
    const { code, text } = answer.failure
    if (code !== 'context_full' || attempt === MAX_ATTEMPTS || !shown.canShrink)
      return { found: 'failed', text, code, usage: undefined }
  }
}

async function ask(
  { engine, strategy, system, sessionId, priority, purpose }: Asker,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<{ text: string; usage: Usage | undefined } | { failure: EngineFailure }> {
  let text = ''
  let usage: Usage | undefined
  const completion = engine.complete(
    {
      sessionId,
      messages: strategy.render(system, messages),
      tools: [],
      maxTokens: MAX_TOKENS,
      constraints: [answerConstraint(TRIAGE_SCHEMA)],
      sampling: { temperature: 0 },
      ...(priority && { priority }),
      ...(purpose && { purpose }),
    },
    signal,
  )
  for await (const event of completion) {
    if (event.type === 'text') text += event.text
    if (event.type === 'failed') return { failure: event }
    if (event.type === 'done') usage = event.usage
  }
  return { text, usage }
}

/** Parse the answer. A model without the JSON constraint may add text around it. */
function understood(
  text: string,
  { kinds }: ReviewQuestion,
): { found: 'nothing' | 'unsure' } | { found: 'something'; noticed: string } {
  const begin = text.slice(0, 20_000)
  const [from, to] = [begin.indexOf('{'), begin.lastIndexOf('}')]
  const json = from >= 0 && from < to ? begin.slice(from, to + 1) : undefined
  const answer = Answer.safeParse(json === undefined ? undefined : parsed(json))
  if (!answer.success) return { found: /\bnothing\b/i.test(text) ? 'nothing' : 'unsure' }
  const { worth, facts, procedure } = answer.data
  // Small models report both kinds, whichever was requested.
  const asked = [
    ...(kinds.includes('memory') ? facts : []),
    kinds.includes('skills') ? (procedure ?? '') : '',
  ]
  const noticed = asked.map(each => each.trim()).filter(each => each !== '')
  const foundAny = [...facts, procedure ?? ''].some(each => each.trim() !== '')
  if (!worth || noticed.length === 0) return { found: worth && !foundAny ? 'unsure' : 'nothing' }
  return { found: 'something', noticed: noticed.map(each => `“${each}”`).join('; ') }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
