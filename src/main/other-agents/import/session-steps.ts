import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'

/** A call of a tool, as another program wrote it down. */
export type StepCall = { id: string; name: string; arguments: Record<string, unknown> }
/** The result of a call. */
export type StepResult = { at: number; ok: boolean; text: string }
/** What happened in a session, in order: the user said something, the agent answered, or its work was stopped. Ids are those of the program. */
export type SessionStep =
  | { kind: 'said'; id: string; at: number; text: string }
  | { kind: 'reply'; id: string; at: number; text: string; calls: StepCall[] }
  | { kind: 'stopped'; id: string; at: number; reason: 'stopped' | 'failed' }

/** A session as its file tells it. `results` by the ids of their calls; a call without one never ended. */
export type ReadSession = {
  folder: string
  model: string
  steps: readonly SessionStep[]
  results: ReadonlyMap<string, StepResult>
}

/** An event, and the id that it has again when the file is read a second time. */
export type SessionEvent = { eventId: string; event: LearningEvent }

/** Reads one file of a session, line by line. An undefined line was too long to be read. */
export type SessionParser = {
  take(line: string | undefined): void
  /** The session, or why nothing can be learned from it. */
  end(): ReadSession | { refused: string }
}

/** Characters that are kept: of a message, of a result, and of one argument of a call. */
const MOST = { message: 20_000, result: 4_000, argument: 1_000 }
const MOST_ARGUMENTS = 20
/** More than what is kept, so that a secret is never cut in two before it is blacked out. */
const MARGIN = 2_000

/** The beginning of a text, in memory of its own: what is cut off must not stay for its sake. */
const cutAt = (text: string, most: number): string =>
  text.length > most ? Buffer.from(text.slice(0, most)).toString() : text
/** Cut what a person or a model said, with a margin for redaction. */
export const cutMessage = (text: string): string => cutAt(text, MOST.message + MARGIN)
/** The same for the text of a result. */
export const cutResult = (text: string): string => cutAt(text, MOST.result + MARGIN)

/** The arguments of a call, cut: texts, numbers and flags as they are, anything deeper as JSON. */
export function cutArguments(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const shown = Object.entries(value).slice(0, MOST_ARGUMENTS)
  return Object.fromEntries(shown.map(([name, each]) => [name.slice(0, 100), cutValue(each)]))
}

function cutValue(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  const text = typeof value === 'string' ? value : jsonOf(value)
  return cutAt(text, MOST.argument + MARGIN)
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    // Nested deeper than the stack of this process.
    return '…'
  }
}

/** Results that are kept of one file, the newest. */
const MOST_RESULTS = 4_000

/** Note the result of a call, and let go of the oldest where there are too many. */
export function keepResult(results: Map<string, StepResult>, callId: string, result: StepResult): void {
  results.set(callId, result)
  const [oldest] = results.keys()
  if (results.size > MOST_RESULTS && oldest !== undefined) results.delete(oldest)
}

/** About how many characters a step takes. */
export const sizeOfStep = ({ text, calls = [] }: { text: string; calls?: readonly StepCall[] }): number =>
  calls.reduce((sum, call) => sum + jsonOf(call.arguments).length, text.length)

/** A result of our own server, or a call of it: what we gave is not learned again. */
const isOurs = (name: string): boolean => /(?:^|_)talaria_/.test(name)

/** What Talaria, or the program itself, put into a message of the user. */
const FRAMES =
  /<(?<name>talaria_memory|system-reminder|environment_context|user_instructions)>[\s\S]*?(?:<\/\k<name>>|$)/g

/** What the person typed, without what was put around it; empty when nothing is left. */
export const ownWords = (text: string): string => text.replaceAll(FRAMES, '').trim()

/**
 * The events of a session. A turn that was answered ends before the next message of the user. The texts are cut with a margin, and
 * hold whatever the file held: redact them, then `trimEvent`.
 */
export function eventsOfSession(session: string, { steps, results }: ReadSession): SessionEvent[] {
  const events: SessionEvent[] = []
  /** The id of the message whose turn is open, and whether it was answered in words. */
  let turn: { id: string; at: number; isAnswered: boolean } | undefined
  const add = (id: string, event: LearningEvent) => void events.push({ eventId: `file:${id}`, event })
  function endTurn(reason: string): void {
    if (turn) add(`end:${turn.id}`, { type: 'turn_end', session, at: turn.at, reason })
    turn = undefined
  }
  for (const step of steps) {
    const { kind, id, at } = step
    if (kind === 'said') {
      if (turn) endTurn(turn.isAnswered ? 'done' : 'stopped')
      add(`said:${id}`, { type: 'user_message', session, at, text: step.text })
      turn = { id, at, isAnswered: false }
    } else if (kind === 'stopped') {
      endTurn(step.reason)
    } else {
      const calls = step.calls.filter(({ name }) => !isOurs(name))
      if (calls.length > 0 || step.text !== '')
        add(`reply:${id}`, { type: 'reply', session, at, text: step.text, calls: calls.length })
      let last = at
      for (const call of calls) {
        const result = results.get(call.id)
        if (!result) continue
        const { ok, text } = result
        last = Math.max(last, result.at)
        const name = call.name.slice(0, 200)
        add(`call:${call.id}`, {
          type: 'tool_result',
          session,
          at: result.at,
          name,
          arguments: call.arguments,
          ok,
          text,
        })
      }
      if (turn) turn = { ...turn, at: last, isAnswered: step.calls.length === 0 }
    }
  }
  if (turn?.isAnswered) endTurn('done')
  return events
}

/** The event with its texts cut to what is kept. */
export function trimEvent(event: LearningEvent): LearningEvent {
  switch (event.type) {
    case 'user_message':
    case 'reply':
      return { ...event, text: event.text.slice(0, MOST.message).toWellFormed() }
    case 'tool_result': {
      const shown = Object.entries(event.arguments).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.slice(0, MOST.argument).toWellFormed() : value,
      ])
      return {
        ...event,
        arguments: Object.fromEntries(shown) as Record<string, unknown>,
        text: event.text.slice(0, MOST.result).toWellFormed(),
      }
    }
    default:
      return event
  }
}
