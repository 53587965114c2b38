import { z } from 'zod'
import type { Message, Usage } from '../../shared/contract/messages.ts'
import { fit, type Window } from '../agent/fit.ts'
import type { Turn } from '../agent/turn.ts'
import { answerConstraint } from '../dialects/grammar/answer-constraint.ts'
import type { EngineFailure } from '../llm/engine.ts'
import { FIRST_LOOK_SCHEMA, firstLookPrompt, type ReviewQuestion } from './prompts.ts'

/** What a first look found; `unsure` when the answer could not be read, and then the whole review decides. */
export type FirstLook =
  | { found: 'nothing' | 'unsure'; usage: Usage | undefined }
  | { found: 'something'; noticed: string; usage: Usage | undefined }
  | { found: 'failed'; text: string; code: EngineFailure['code']; usage: undefined }

type Asker = Pick<
  Turn,
  'engine' | 'strategy' | 'system' | 'sessionId' | 'priority' | 'contextTokens' | 'tools'
>

const Answer = z.object({
  worth: z.boolean(),
  facts: z.array(z.string()).default([]),
  procedure: z.string().nullish(),
})

/** Room for five facts and a procedure. */
const MOST_TOKENS = 320
/** How often a conversation is shown that the engine finds too long, with less of it each time. */
const MOST_ATTEMPTS = 3

/**
 * Ask whether anything in a conversation is worth a review at all: one short answer, held to its JSON where the engine can
 * do that, right behind the conversation whose evaluated prefix is still there.
 */
export async function lookFirst(
  turn: Asker,
  messages: readonly Message[],
  question: ReviewQuestion,
  window: Window,
  signal: AbortSignal,
): Promise<FirstLook> {
  const asked: Message = {
    role: 'user',
    id: Number.MAX_SAFE_INTEGER,
    sessionId: turn.sessionId,
    at: 0,
    text: firstLookPrompt(question),
  }
  for (let attempt = 1; ; attempt++) {
    const shown = fit(turn, [...messages, asked], window, attempt)
    const answer = await ask(turn, shown.messages, signal)
    if ('text' in answer) return { ...understood(answer.text, question), usage: answer.usage }
    const { code, text } = answer.failure
    if (code !== 'context_full' || attempt === MOST_ATTEMPTS || !shown.canShrink)
      return { found: 'failed', text, code, usage: undefined }
  }
}

async function ask(
  { engine, strategy, system, sessionId, priority }: Asker,
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
      maxTokens: MOST_TOKENS,
      constraints: [answerConstraint(FIRST_LOOK_SCHEMA)],
      sampling: { temperature: 0 },
      ...(priority && { priority }),
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

/** What an answer says; a model that is not held to JSON may write words around it. */
function understood(
  text: string,
  { kinds }: ReviewQuestion,
): { found: 'nothing' | 'unsure' } | { found: 'something'; noticed: string } {
  const json = /\{[\s\S]*\}/.exec(text.slice(0, 20_000))?.[0]
  const answer = Answer.safeParse(json === undefined ? undefined : parsed(json))
  if (!answer.success) return { found: /\bnothing\b/i.test(text) ? 'nothing' : 'unsure' }
  const { worth, facts, procedure } = answer.data
  // A small model tells of both, whatever it is asked for.
  const asked = [
    ...(kinds.includes('memory') ? facts : []),
    kinds.includes('skills') ? (procedure ?? '') : '',
  ]
  const noticed = asked.map(each => each.trim()).filter(each => each !== '')
  const told = [...facts, procedure ?? ''].some(each => each.trim() !== '')
  if (!worth || noticed.length === 0) return { found: worth && !told ? 'unsure' : 'nothing' }
  return { found: 'something', noticed: noticed.map(each => `“${each}”`).join('; ') }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
