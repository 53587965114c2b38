import { z } from 'zod'
import { createTextStrategy } from '../../src/main/agent/strategies/text.ts'
import { structuredStrategy } from '../../src/main/agent/strategies/structured.ts'
import type { CompletionEvent } from '../../src/main/models/interface/engine.ts'

/** The fields of a result that are compared. */
export const FIELDS = ['content', 'reasoning', 'calls'] as const

const WrittenCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })

/**
 * One labelled output of a model. `check`: only these fields are compared. `contested`: counted separately.
 */
export const ToolCallCase = z.object({
  id: z.string().min(1),
  kind: z.enum(['positive', 'negative']),
  tags: z.array(z.string()).default([]),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string().default(''),
      parameters: z.record(z.string(), z.unknown()),
    }),
  ),
  /** How the prompt ended, which only the local engine knows. */
  prompt_tail: z.string().optional(),
  text: z.string(),
  /** Whether the model ran out of tokens. */
  truncated: z.boolean().default(false),
  expect: z.object({
    content: z.string(),
    reasoning: z.string().nullable(),
    calls: z.array(WrittenCall),
  }),
  check: z.array(z.enum(FIELDS)).optional(),
  contested: z.boolean().default(false),
  /**
   * Whether one of its calls must be refused, and so go back to the model. By default its tags decide whether
   * one may be.
   */
  refused: z.boolean().optional(),
})
export type ToolCallCase = z.output<typeof ToolCallCase>

/** What the product found in an output. */
export type Reading = {
  content: string
  reasoning: string | null
  calls: z.output<typeof WrittenCall>[]
  /** What the model is told about the calls that it must write again. */
  refused: string[]
  /** All text that was shown at any time. */
  shown: string
  /** Whether text or calls that were already reported turned out to be reasoning. */
  takenBack: boolean
}

const STRATEGIES = {
  local: createTextStrategy({ format: 'hermes', toolRole: true, edition: 'full' }),
  server: structuredStrategy,
}

/** The engines. The local engine knows what the end of the prompt leaves open; a server does not tell. */
export type Engine = keyof typeof STRATEGIES

/** Cuts an output into the pieces in which it comes. */
export type Cut = (text: string) => string[]

const USED = {
  promptTokens: 0,
  reusedTokens: 0,
  evaluatedTokens: 0,
  outputTokens: 0,
  contextTokens: 0,
  firstTokenMs: 0,
  prefillPerSecond: 0,
  tokensPerSecond: 0,
}

async function* eventsOf(each: ToolCallCase, cut: Cut, engine: Engine) {
  const events: CompletionEvent[] = [
    ...(engine === 'local' ? [{ type: 'prompt_end', text: each.prompt_tail ?? '' } as const] : []),
    ...cut(each.text).map(text => ({ type: 'text', text }) as const),
    { type: 'done', stop: each.truncated ? 'length' : 'end', usage: USED },
  ]
  yield* events
}

/** Read the output of a case as a chat does, through the strategy of its engine. */
export async function readCase(each: ToolCallCase, engine: Engine, cut: Cut): Promise<Reading> {
  const read: Reading = {
    content: '',
    reasoning: '',
    calls: [],
    refused: [],
    shown: '',
    takenBack: false,
  }
  for await (const event of STRATEGIES[engine].read(eventsOf(each, cut, engine), each.tools)) {
    if (event.type === 'text') {
      read.content += event.text
      read.shown += event.text
    }
    if (event.type === 'reasoning') read.reasoning += event.text
    if (event.type === 'thought') {
      read.takenBack ||= read.content !== '' || read.calls.length > 0
      Object.assign(read, { content: '', reasoning: event.text, calls: [], refused: [] })
    }
    if (event.type === 'call') read.calls.push({ name: event.call.name, arguments: event.call.arguments })
    if (event.type === 'bad_call') read.refused.push(event.reason)
  }
  return { ...read, reasoning: read.reasoning || null }
}
