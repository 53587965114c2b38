import { setImmediate as nextTick } from 'node:timers/promises'
import { join } from 'node:path'
import type { Attachment } from '../../../shared/contract/chats/attachments.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import type { EndReason } from '../../../shared/contract/runs/run.ts'
import { joinSections } from '../../agent/prompt.ts'
import { redactText, redactIn } from '../../untrusted/redact.ts'
import type { ForeignSession } from '../../db/learning/foreign-tables.ts'
import type { Store } from '../../db/store.ts'
import { lengthIn, shortenTool } from '../../tools/registry/fit-tools.ts'
import type { Registry } from '../../tools/registry/registry.ts'
import { foreignMessages } from '../outside-chats/foreign-messages.ts'
import { appendLine } from './append-lines.ts'

type Part = { from: 'system' | 'human' | 'gpt' | 'tool'; value: string }

/**
 * One chat as training data in the ShareGPT format. `turns` counts user messages. Of several lines with the
 * same `id`, the last shows the chat after its newest turn, on that turn's branch.
 * @internal Tests read the lines of an export as this.
 */
export type Trajectory = {
  id: string
  conversations: Part[]
  model: string
  completed: boolean
  timestamp: string
  turns: number
  complexity: { toolCalls: number; uniqueTools: number; errors: number }
}

type Chats = Pick<Store, 'sessions' | 'messages' | 'runs'>
type Foreign = {
  store: Pick<Store['foreign'], 'list' | 'events'>
  /** Whether a session has ended, or was idle long enough. */
  isOver(session: ForeignSession): boolean
}

/** The chats, and the tools that servers received as data, which stored prompts lack. */
export type TrajectorySources = { store: Chats; registry: Pick<Registry, 'specs'> }

/** The trajectory of a chat, with secrets redacted (`system` already is). Undefined without an answer. */
function trajectoryOf(
  id: string,
  system: string,
  messages: readonly Message[],
  completed: boolean,
): Trajectory | undefined {
  const model = messages.findLast(message => message.role === 'assistant')?.model
  if (model === undefined) return undefined
  const results = messages.filter(message => message.role === 'tool')
  return {
    id,
    conversations: [
      ...(system === '' ? [] : [{ from: 'system' as const, value: system }]),
      ...partsOf(messages),
    ],
    model,
    completed,
    timestamp: new Date(messages.at(-1)!.at).toISOString(),
    turns: messages.filter(message => message.role === 'user').length,
    complexity: {
      toolCalls: results.length,
      uniqueTools: new Set(results.map(result => result.name)).size,
      errors: results.filter(result => !result.ok).length,
    },
  }
}

/** All results of one reply form one part. */
function partsOf(messages: readonly Message[]): Part[] {
  const parts: Part[] = []
  for (const message of messages) {
    const part = partOf(message)
    const last = parts.at(-1)
    if (part.from === 'tool' && last?.from === 'tool') last.value += `\n${part.value}`
    else parts.push(part)
  }
  return parts
}

/** Redact before converting to JSON, so that redaction never swallows a quotation mark. */
function partOf(message: Message): Part {
  switch (message.role) {
    case 'user': {
      const { text, skill, documents } = message
      const said = skill ? `[Skill: ${skill.name}]\n${skill.text}\n\n${text}` : text
      const parts = [...(documents === undefined ? [] : [documents]), said, ...picturesIn(message)]
      return { from: 'human', value: redactText(parts.join('\n\n')) }
    }
    case 'assistant': {
      const calls = message.calls.map(({ name, arguments: given }) =>
        tagged('tool_call', JSON.stringify({ name, arguments: redactIn(given) })),
      )
      // Readers of this format expect reasoning tags in every reply, even when empty.
      const parts = [
        tagged('think', redactText(message.reasoning.trim())),
        redactText(message.text),
        ...calls,
      ]
      return { from: 'gpt', value: parts.filter(part => part !== '').join('\n') }
    }
    case 'tool': {
      const { callId, name, text } = message
      const content = redactText([text, ...picturesIn(message)].join('\n'))
      const result = { tool_call_id: callId, name, content }
      return { from: 'tool', value: tagged('tool_response', JSON.stringify(result)) }
    }
  }
}

/** The pictures of a message, by name and description, because their bytes are not text. */
const picturesIn = ({ attachments = [] }: { attachments?: readonly Attachment[] | undefined }): string[] =>
  attachments
    .filter(({ use }) => use === 'picture')
    .map(({ name, width, height, description }) => {
      const size = width === undefined || height === undefined ? '' : `, ${width} × ${height} pixels`
      const said = description === undefined ? '' : `. It shows: ${description}`
      return `[Picture: ${name.replaceAll(/[[\]\p{Cc}]/gu, ' ')}${size}${said}]`
    })

const tagged = (tag: string, text: string) =>
  [`<${tag}>`, ...(text === '' ? [] : [text]), `</${tag}>`].join('\n')

/** All messages of a chat, regardless of compaction. */
const wholeOf = (store: Chats, sessionId: string): Message[] =>
  store.messages.page(sessionId, { limit: 100_000 }).messages

/**
 * The frozen prompt of a chat (for its current folder, if it has several) and the tools sent beside it, with
 * secrets redacted. Empty if it has none.
 */
function systemOf({ store, registry }: TrajectorySources, sessionId: string, withMemory: boolean): string {
  const prompts = store.sessions.frozenPrompts(sessionId)
  const folder = JSON.stringify(store.sessions.get(sessionId)?.workspace)
  const prompt = prompts.find(({ key }) => key.includes(folder)) ?? prompts[0]
  if (prompt === undefined) return ''
  const { key, sections, toolNames } = prompt
  // A prompt from before version 4 is one section, which holds the tools and may hold memory anywhere.
  const isOld = sections.length === 1
  const shown = withMemory ? sections : sections.filter(({ name }) => !isOld && !MEMORY.has(name))
  const isWritten = isOld || sections.some(section => section.name === 'tools')
  const tools = isWritten
    ? []
    : registry.specs(toolNames).map(tool => shortenTool(tool, lengthIn(key) ?? 'whole'))
  const lines = tools.map(tool => JSON.stringify({ type: 'function', function: tool }))
  const list = lines.length === 0 ? [] : [{ text: `## Tools\n${tagged('tools', lines.join('\n'))}` }]
  return joinSections([...shown.map(({ text }) => ({ text: redactText(text) })), ...list])
}

const MEMORY: ReadonlySet<string> = new Set(['user', 'memory'])

/** A chat counts as a success if its last turn was not cut off and its last message is an answer. */
function isCompleted(messages: readonly Message[], reason: EndReason | null | undefined): boolean {
  const last = messages.at(-1)
  const isAnswer = last?.role === 'assistant' && !last.interrupted && !last.void && last.calls.length === 0
  return isAnswer && (reason == null || reason === 'done')
}

/**
 * Append the chat after a turn to `success.jsonl` or `failure.jsonl`. Existing lines never change: a chat
 * that continues gets another line with more turns. Memory is left out.
 */
export function saveTrajectory(
  home: string,
  sources: TrajectorySources,
  sessionId: string,
  reason: EndReason,
): void {
  const { store } = sources
  const messages = wholeOf(store, sessionId)
  const completed = isCompleted(messages, reason)
  const trajectory = trajectoryOf(sessionId, systemOf(sources, sessionId, false), messages, completed)
  if (!trajectory) return
  const name = completed ? 'success.jsonl' : 'failure.jsonl'
  appendLine(join(home, 'trajectories', name), JSON.stringify(trajectory))
}

type Wanted = {
  outcome: 'success' | 'failure' | 'all'
  sessionId?: string | undefined
  /** Whether to include memory about the user and their work in the system part. */
  withMemory?: boolean | undefined
  /** Also include finished sessions of other programs. */
  withForeign?: Foreign | undefined
}

/** Chats as lines, newest first, followed by the sessions of other programs. */
export async function* trajectoriesOf(
  sources: TrajectorySources,
  { outcome, sessionId, withMemory = false, withForeign }: Wanted,
): AsyncGenerator<{ line: string }> {
  const { store } = sources
  for (const id of sessionId === undefined ? allIds(store) : [sessionId]) {
    // Let answers run first, because many long chats take a while.
    await nextTick()
    const session = store.sessions.get(id)
    if (!session || session.temporary) continue
    const messages = wholeOf(store, id)
    // The last run of the chat may be on another branch.
    const reason = store.runs.endings(id).get(messages.at(-1)?.id ?? 0)
    const completed = isCompleted(messages, reason)
    if (outcome !== 'all' && completed !== (outcome === 'success')) continue
    const trajectory = trajectoryOf(id, systemOf(sources, id, withMemory), messages, completed)
    if (trajectory) yield { line: JSON.stringify(trajectory) }
  }
  if (withForeign) yield* foreignTrajectories(withForeign, outcome)
}

/** Sessions reported by other programs: without a prompt, and with texts as cut and redacted for storage. */
async function* foreignTrajectories(
  { store, isOver }: Foreign,
  outcome: Wanted['outcome'],
): AsyncGenerator<{ line: string }> {
  for (const session of store.list({ limit: MOST_FOREIGN })) {
    await nextTick()
    if (!isOver(session)) continue
    const events = store.events(session.id).map(({ event }) => event)
    const end = events.findLast(event => event.type === 'turn_end')
    const messages = foreignMessages(events, session.model)
    const completed = isCompleted(messages, end?.reason === 'done' ? 'done' : end && 'failed')
    if (outcome !== 'all' && completed !== (outcome === 'success')) continue
    const trajectory = trajectoryOf(session.id, '', messages, completed)
    if (trajectory) yield { line: JSON.stringify(trajectory) }
  }
}

const MOST_FOREIGN = 100_000

function allIds(store: Chats): string[] {
  const ids: string[] = []
  for (;;) {
    const { sessions, more } = store.sessions.list({ query: '', limit: 200, offset: ids.length })
    ids.push(...sessions.map(session => session.id))
    if (!more) return ids
  }
}
