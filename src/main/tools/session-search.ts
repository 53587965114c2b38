import { z } from 'zod'
import { inChatOrder, formatDay, formatResults, formatPart } from '../chats/search/find-chats.ts'
import type { ChatSearch } from '../chats/search/open-search.ts'
import type { Store } from '../db/store.ts'
import { defineTool, type ToolResult } from './tool.ts'

/** Limits: chats per answer, messages to either side when one chat is read, and chats in the list. */
const CHATS = 5
const REACH = 12
const RECENT = 15

/** The tool that lets a model search earlier chats. */
export function sessionSearchTool({
  find,
  store,
}: {
  find: ChatSearch['find']
  store: Pick<Store, 'recall' | 'sessions'>
}) {
  /** Read one chat around a message, or its end. */
  function read(sessionId: string, around: number | undefined): ToolResult {
    const session = store.sessions.get(sessionId)
    if (!session) return { ok: false, reason: `There is no chat ${sessionId}. Search for it with query.` }
    const last = store.recall.ends(sessionId, 1).at(-1)?.id
    if (last === undefined) return { ok: true, text: 'Nothing was said in this chat.' }
    const middle = around ?? last
    const messages = store.recall.around(middle, REACH)
    if (!isOf(messages, sessionId))
      return { ok: false, reason: `There is no message ${middle} in this chat. Its last one is ${last}.` }
    const { title, updatedAt: at } = session
    const best = around === undefined ? [] : [around]
    return { ok: true, text: formatPart({ sessionId, title, at, best, shown: inChatOrder([messages]) }) }
  }

  /** A chat continued in another one is found as one, so the messages may belong to either. */
  function isOf(messages: readonly { sessionId: string }[], sessionId: string): boolean {
    const found = messages[0]?.sessionId
    if (found === undefined) return false
    const roots = store.recall.roots([found, sessionId])
    return roots.get(found) === roots.get(sessionId)
  }

  function recent(current: string): ToolResult {
    const { sessions } = store.sessions.list({ query: '', limit: RECENT + 1, offset: 0 })
    const others = sessions.filter(session => session.id !== current).slice(0, RECENT)
    const lines = others.map(
      ({ id, title, preview, messageCount, updatedAt }) =>
        `- ${formatDay(updatedAt)} ${title || 'Untitled chat'} (session_id ${id}, ${messageCount} messages): ${preview}`,
    )
    return { ok: true, text: lines.length === 0 ? 'There are no earlier chats.' : lines.join('\n') }
  }

  return defineTool({
    name: 'session_search',
    says: 'Search earlier chats by words, or read one (session_id); without arguments, list the latest.',
    input: z.object({
      query: z.string().optional(),
      session_id: z.string().optional(),
      around_message_id: z.int().optional(),
      since: z.iso.date().optional().describe('first day, such as 2026-01-31'),
      until: z.iso.date().optional().describe('last day'),
      role: z.enum(['user', 'assistant', 'tool']).optional(),
    }),
    toolset: 'memory',
    risk: 'read',
    async intent({ query, session_id: sessionId }, { workspace: folder }) {
      const said = query?.trim()
      const title = said
        ? `Search earlier chats for “${said.slice(0, 80).toWellFormed()}”`
        : sessionId === undefined
          ? 'List earlier chats'
          : 'Read an earlier chat'
      return { title, detail: said ?? sessionId ?? '', risk: 'read', inWorkspace: true, folder }
    },
    async run({ query, session_id: sessionId, around_message_id: around, since, until, role }, context) {
      // A model that passes a chat id wants to read it, even if it also passes a query.
      if (sessionId !== undefined && (around !== undefined || !query?.trim())) return read(sessionId, around)
      if (!query?.trim()) return recent(context.sessionId)
      const question = {
        query,
        current: context.sessionId,
        from: since === undefined ? undefined : startOf(since),
        to: until === undefined ? undefined : startOf(until, 1),
        role,
      }
      return { ok: true, text: formatResults(await find(context.signal, question, CHATS)) }
    },
  })
}

/** Midnight of a day, or of a later one, in local time. */
function startOf(date: string, later = 0): number {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, dayOfMonth + later).getTime()
}
