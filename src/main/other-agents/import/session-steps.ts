import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'

/** A tool call, as another program recorded it. */
export type StepCall = { id: string; name: string; arguments: Record<string, unknown> }
/** The result of a call. */
export type StepResult = { at: number; ok: boolean; text: string }
/** A step of a session: a user's message, an answer, or a stop. Ids are those of the program. */
export type SessionStep =
  | { kind: 'said'; id: string; at: number; text: string }
  | { kind: 'reply'; id: string; at: number; text: string; calls: StepCall[] }
  | { kind: 'stopped'; id: string; at: number; reason: 'stopped' | 'failed' }

/** A session as read from its file. `results` are by call id; a call without a result never ended. */
export type ReadSession = {
  folder: string
  model: string
  steps: readonly SessionStep[]
  results: ReadonlyMap<string, StepResult>
}

/** An event, with an id that stays the same if the file is read again. */
export type SessionEvent = { eventId: string; event: LearningEvent }

/** Reads one session file, line by line. An undefined line was too long to be read. */
export type SessionParser = {
  take(line: string | undefined): void
  /** Return the session, or why nothing can be learned from it. */
  end(): ReadSession | { refused: string }
}

/** Maximum number of characters to keep: of a message, of a result, and of one call argument. */
const MOST = { message: 20_000, result: 4_000, argument: 1_000 }
const MOST_ARGUMENTS = 20
/** Extra characters to keep until redaction, so that a secret is never cut in two before it is redacted. */
const MARGIN = 2_000

/** Return the beginning of a text as a copy, so that the rest can be freed. */
const cutAt = (text: string, most: number): string =>
  text.length > most ? Buffer.from(text.slice(0, most)).toString() : text
/** Cut a message of a user or model, with a margin for redaction. */
export const cutMessage = (text: string): string => cutAt(text, MOST.message + MARGIN)
/** Cut the text of a result in the same way. */
export const cutResult = (text: string): string => cutAt(text, MOST.result + MARGIN)

/** Cut the arguments of a call: texts, numbers and flags stay, deeper values become JSON. */
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
    // It is nested too deep for this process's stack.
    return '…'
  }
}

/** Maximum number of results to keep of one file; the newest. */
const MOST_RESULTS = 4_000

/** Store the result of a call, dropping the oldest beyond the maximum. */
export function keepResult(results: Map<string, StepResult>, callId: string, result: StepResult): void {
  results.set(callId, result)
  const [oldest] = results.keys()
  if (results.size > MOST_RESULTS && oldest !== undefined) results.delete(oldest)
}

/** Return the approximate size of a step in characters. */
export const sizeOfStep = ({ text, calls = [] }: { text: string; calls?: readonly StepCall[] }): number =>
  calls.reduce((sum, call) => sum + jsonOf(call.arguments).length, text.length)

/** Return whether a call is one of our own server's: what we gave is not learned again. */
const isOurs = (name: string): boolean => /(?:^|_)talaria_/.test(name)

/** Frames that Talaria, or the program itself, added to the user's message. */
const FRAMES =
  /<(?<name>talaria_memory|system-reminder|environment_context|user_instructions)>[\s\S]*?(?:<\/\k<name>>|$)/g

/** Return what the user typed, without added frames; empty if nothing is left. */
export const ownWords = (text: string): string => text.replaceAll(FRAMES, '').trim()

/**
 * Return the events of a session. An answered turn ends before the next message of the user. Texts are cut
 * with a margin and may contain anything: redact them, then call `trimEvent`.
 */
export function eventsOfSession(session: string, { steps, results }: ReadSession): SessionEvent[] {
  const events: SessionEvent[] = []
  /** The id of the open turn's message, and whether the turn was answered with text. */
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

/** Cut an event's texts to the final size. */
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
