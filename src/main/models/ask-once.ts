import { newId } from '../lib/ids.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import { answerConstraint } from './formats/grammar/constraint.ts'
import { isFailure, type EngineFailure, type LlmEngine } from './interface/engine.ts'
import type { Models } from './models.ts'

/**
 * One question to a model outside any chat. With `schema` the answer is JSON that satisfies the schema, if
 * the engine can guarantee it.
 */
export type OneQuestion = {
  system: string
  user: string
  schema?: Record<string, unknown>
  maxTokens?: number
  priority?: 'foreground' | 'background'
}

/** Ask a model one question. A failure is returned as a value; an abort returns an empty answer. */
export async function askOnce(
  engine: LlmEngine,
  question: OneQuestion,
  signal: AbortSignal,
  forget: (sessionId: string) => Promise<void> = async () => {},
): Promise<{ text: string } | Refusal> {
  const profile = await engine.profile()
  if (isFailure(profile)) return { refused: sentence(profile) }
  const sessionId = newId('ask')
  const { system, user, schema, maxTokens = 400, priority = 'foreground' } = question
  let text = ''
  try {
    for await (const event of engine.complete(
      {
        sessionId,
        messages: [
          { role: 'system', text: system },
          { role: 'user', text: user },
        ],
        tools: [],
        maxTokens,
        priority,
        sampling: { temperature: 0 },
        ...(schema && profile.strategy === 'text' && { constraints: [answerConstraint(schema)] }),
      },
      signal,
    )) {
      if (event.type === 'text') text += event.text
      if (event.type === 'failed') return { refused: sentence(event) }
    }
  } finally {
    await forget(sessionId)
  }
  return { text: text.trim() }
}

const sentence = ({ text, fix }: Pick<EngineFailure, 'text' | 'fix'>) => `${text} ${fix}`.trim()

type Asked = { text: string } | Refusal

/** Create a function that finds a model by id, or the default one, and returns a way to ask it questions. */
export const createAskOnce =
  (parts: { models: Models; forget(sessionId: string): Promise<void> }) =>
  async (
    modelId: string | undefined,
  ): Promise<{ name: string; ask(question: OneQuestion, signal: AbortSignal): Promise<Asked> } | Refusal> => {
    const engine = await parts.models.engineFor(modelId ?? parts.models.defaultId())
    if (isFailure(engine)) return { refused: sentence(engine) }
    return {
      name: engine.name,
      ask: (question, signal) => askOnce(engine, question, signal, parts.forget),
    }
  }
