import type { Delegated } from '../../shared/contract/runs/delegation.ts'
import type { NewRunEvent } from '../../shared/contract/runs/run.ts'

/** Minimum time between live lines, in ms. */
const LINE_MS = 500
const LONGEST_LINE = 120

/** A working sub-agent: its state, and the last error of its turn. */
type Followed = { agent: Delegated; error: string }

type How = {
  change(given: Partial<Delegated>): void
  /** Called at the first word or call of its model, which has read its prompt by then. */
  begun(): void
  /** How long without an event before the sub-agent counts as stalled, in ms. */
  stallMs: number
}

/** Follow a sub-agent by its events: its current action, its usage, and whether it is stalled. */
export function followAgent(one: Followed, { change, begun, stallMs }: How) {
  let said = ''
  let line: NodeJS.Timeout | undefined
  let stall: NodeJS.Timeout | undefined
  const heard = () => {
    clearTimeout(stall)
    if (one.agent.state === 'stalled') change({ state: 'running' })
    stall = setTimeout(() => {
      // A sub-agent that waits for the user is not stalled.
      if (one.agent.state === 'running') change({ state: 'stalled', line: 'no sign of life for a while' })
      else heard()
    }, stallMs).unref()
  }
  const showLine = (text: string) => {
    one.agent = { ...one.agent, line: shortLine(text) }
    line ??= setTimeout(() => {
      line = undefined
      change({})
    }, LINE_MS).unref()
  }
  heard()
  return {
    onEvent(event: NewRunEvent) {
      heard()
      if (event.type === 'tool_call') showLine(event.title)
      else if (event.type === 'text_delta') {
        begun()
        showLine((said = (said + event.text).slice(-400)))
      } else if (event.type === 'progress' && event.phase === 'loading') showLine('loads the model')
      else if (event.type === 'was_thought') said = ''
      else if (event.type === 'error') one.error = `${event.text} ${event.fix}`.trim()
      else if (event.type === 'message' && event.message.role === 'assistant') {
        begun()
        said = ''
        one.agent = { ...one.agent, steps: one.agent.steps + 1 }
      } else if (event.type === 'context_usage') {
        const { evaluatedTokens, outputTokens } = event.usage
        one.agent = { ...one.agent, tokens: one.agent.tokens + evaluatedTokens + outputTokens }
      }
    },
    end() {
      clearTimeout(stall)
      clearTimeout(line)
    },
  }
}

/** The last line of a text, shortened to `most` characters. */
export function shortLine(text: string, most = LONGEST_LINE): string {
  const lines = text.trim().split('\n')
  const line = (lines.at(-1) ?? '').replaceAll(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line
}
