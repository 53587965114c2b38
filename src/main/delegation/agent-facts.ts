import type { Message, ToolCall, ToolMessage } from '../../shared/contract/chats/messages.ts'
import { hasRun } from '../../shared/words/call-words.ts'

/** Facts about a sub-agent's work, from the stored messages of its chat and not from its own claims. */
export type AgentFacts = {
  /** The files that its tools wrote, by the names it used. */
  files: string[]
  /** Its commands in order, and how each ended: `exit code 0`, or why there is no exit code. */
  commands: { command: string; end: string }[]
  /** The tools of servers, and the pages, that it used. */
  sources: string[]
  /** The calls that it was denied. */
  denied: string[]
  /** Whether any of its calls ran. */
  ran: boolean
  /** Calls that failed or could not run. */
  failed: number
  steps: number
  tokens: number
  /** The text of its last answer; empty if it gave none. */
  summary: string
}

/** The end of a command that was denied. */
export const NOT_ALLOWED = 'not allowed'

/** Gather the facts of a sub-agent from the messages of its chat. */
export function agentFacts(messages: readonly Message[]): AgentFacts {
  const calls = new Map<string, ToolCall>()
  const files = new Set<string>()
  const sources = new Set<string>()
  const facts: Pick<AgentFacts, 'commands' | 'denied' | 'ran' | 'failed' | 'steps' | 'tokens' | 'summary'> = {
    commands: [],
    denied: [],
    ran: false,
    failed: 0,
    steps: 0,
    tokens: 0,
    summary: '',
  }
  for (const message of messages) {
    if (message.role === 'user') continue
    if (message.role === 'assistant') {
      facts.steps++
      facts.tokens += (message.usage?.evaluatedTokens ?? 0) + (message.usage?.outputTokens ?? 0)
      for (const call of message.calls) calls.set(call.id, call)
      // A void message is not an answer: it says nothing, or repeats itself.
      if (message.text !== '' && !message.void) facts.summary = message.text
      continue
    }
    const given = calls.get(message.callId)?.arguments ?? {}
    const { record } = message
    const isDenied = record.decision === 'denied'
    const title = message.title ?? message.name
    if (hasRun(record)) facts.ran = true
    if (isDenied) facts.denied.push(title)
    else if (!message.ok) facts.failed++
    if (message.name === 'terminal' && typeof given['command'] === 'string')
      facts.commands.push({ command: given['command'], end: isDenied ? NOT_ALLOWED : endOf(message) })
    for (const file of record.files ?? []) files.add(file)
    if (record.sources?.length) sources.add(title)
  }
  return { ...facts, files: [...files], sources: [...sources] }
}

/** How a command ended. Without an exit code, the first line of its result. */
function endOf({ record: { exitCode }, text }: ToolMessage): string {
  if (exitCode !== undefined) return `exit code ${exitCode}`
  const [line = ''] = text.replace(/^Error: /, '').split('\n', 1)
  return line.length > 80 ? `${line.slice(0, 79)}…` : line || 'no result'
}
