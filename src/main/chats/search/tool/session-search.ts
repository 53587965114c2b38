import { NEVER_FOUND } from '../../../../shared/origin-rules.ts'
import { formatDay } from '../find-chats.ts'
import type { ChatSearch } from '../open-search.ts'
import type { Store } from '../../../db/store.ts'
import { mergeMarks } from '../../../untrusted/strangers-marks.ts'
import type { Intent, ToolResult } from '../../../tools/registry/tool.ts'

/** How many chats to list. */
const RECENT = 15

/** The searches and stores that the tool uses. */
export type SearchedChats = {
  best: ChatSearch['best']
  store: Pick<Store, 'recall' | 'sessions'> & { marks: Pick<Store['marks'], 'ofMessages' | 'ofTitles'> }
}

/** Return the marks of shown chats: of their messages and titles. */
export const marksOfFound = (
  { marks }: SearchedChats['store'],
  chats: readonly { sessionId: string; shown: readonly { message: { id: number } }[] }[],
) =>
  mergeMarks(
    marks.ofMessages(chats.flatMap(({ shown }) => shown.map(({ message }) => message.id))),
    marks.ofTitles(chats.map(({ sessionId }) => sessionId)),
  )

export const SILENT: ToolResult = { ok: true, text: 'Nothing was said in this chat.' }

export const noChat = (sessionId: string): ToolResult => ({
  ok: false,
  reason: `There is no chat ${sessionId}. Search for it with query.`,
})

export const noMessage = (id: number, last: number): ToolResult => ({
  ok: false,
  reason: `There is no message ${id} in this chat. Its last one is ${last}.`,
})

/** Return whether messages belong to a chat, or to a chat that continues it: they are found as one. */
export function isOfChat(
  store: SearchedChats['store'],
  messages: readonly { sessionId: string }[],
  sessionId: string,
): boolean {
  const found = messages[0]?.sessionId
  if (found === undefined) return false
  const roots = store.recall.roots([found, sessionId])
  return roots.get(found) === roots.get(sessionId)
}

/** List the latest chats, one per line, without the asking chat and sub-agents. */
export function listRecent(store: SearchedChats['store'], current: string): ToolResult {
  const { sessions } = store.sessions.list({
    query: '',
    without: NEVER_FOUND,
    limit: RECENT + 1,
    offset: 0,
  })
  const others = sessions.filter(session => session.id !== current).slice(0, RECENT)
  const lines = others.map(
    ({ id, title, preview, messageCount, updatedAt, archived }) =>
      `- ${formatDay(updatedAt)} ${title || 'Untitled chat'} (session_id ${id}, ${messageCount} messages${archived ? ', archived' : ''}): ${preview}`,
  )
  const text = lines.length === 0 ? 'There are no earlier chats.' : lines.join('\n')
  return { ok: true, text, marks: store.marks.ofTitles(others.map(({ id }) => id)) }
}

/** English and German words that refer to the past or to chats as such, and name nothing to search for. */
const UNTELLING = new Set(
  (
    'a about again all an any are before chat chats conversation conversations did discuss discussed discussion ' +
    'discussions do earlier former from had have history i in is last lately latest list me my of old ' +
    'older on our past please previous previously prior recent recently said say so ' +
    'talk talked that the there this time times today was we were what when which with you ' +
    'alle alten alter bisher bisherige bisherigen chatverlauf damals das davor dem den der die ein eine einem einen ' +
    'einer frühere früheren früherer früher gesagt gespräch gespräche gesprächen gesprochen haben ich im letzte ' +
    'letzten letzter letztes mal mein meine meinen neulich neueste neuesten suche unser unsere unseren unterhaltung ' +
    'unterhaltungen verlauf vorher vorherige vorherigen vorheriger vorhin war waren was wir zeig zuletzt zuvor über'
  ).split(' '),
)

/** Return whether a question only asks for the latest chats: no meaningful words, no days and no role. */
export function isAboutLatest({ query = '', since, until, role }: Given & Omit<Asked, 'query'>): boolean {
  if (since !== undefined || until !== undefined || role !== undefined) return false
  const words =
    query
      .slice(0, 200)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.length > 0 && words.length <= 12 && words.every(word => UNTELLING.has(word))
}

type Given = { query?: string | undefined; session_id?: string | undefined }

/** Return what a call is about to do, as text. */
export function searchIntent({ query, session_id: sessionId }: Given, folder: string): Intent {
  const said = query?.trim()
  const title = said
    ? `Search earlier chats for “${said.slice(0, 80).toWellFormed()}”`
    : sessionId === undefined
      ? 'List earlier chats'
      : 'Read an earlier chat'
  return { title, detail: said ?? sessionId ?? '', risk: 'read', inWorkspace: true, folder }
}

type Asked = {
  query: string
  since?: string | undefined
  until?: string | undefined
  role?: string | undefined
}

/** Build the search question for a call in a chat. The last day is included in full. */
export const questionOf = ({ query, since, until, role }: Asked, current: string) => ({
  query,
  current,
  from: since === undefined ? undefined : startOf(since),
  to: until === undefined ? undefined : startOf(until, 1),
  role,
})

/** Return the local midnight at the start of a day, plus `later` days. */
function startOf(date: string, later = 0): number {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, dayOfMonth + later).getTime()
}
