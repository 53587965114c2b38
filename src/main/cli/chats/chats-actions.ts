import { setTimeout as sleep } from 'node:timers/promises'
import { styleText } from 'node:util'
import type { HostClient } from '../../../shared/contract/index.ts'
import type {
  DeletedChat,
  RecallHit,
  RecallPassage,
  Session,
  UnremovedChat,
} from '../../../shared/contract/chats/session.ts'
import { Fault } from '../../../shared/rpc.ts'
import { BY_TALARIA } from '../../../shared/words/answer-words.ts'
import { sayCite } from '../../../shared/markdown/web-citations.ts'
import { tellObeyedChange } from '../../../shared/words/obeyed-words.ts'
import { ORIGIN_RULES } from '../../../shared/origin-rules.ts'
import { jsonLine, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { setDecider } from '../interactive/decider-command.ts'
import { chatNamed, findById } from '../find-item.ts'
import { TWICE, withClient } from '../open-client.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import {
  dayOf,
  escapeInvisible,
  many,
  momentOf,
  printAside,
  printLine,
  startOfDay,
  stripControls,
} from '../output/terminal-text.ts'

type Options = { home?: string; json?: true }

/** How often to check whether removals have finished, in ms. */
const ASK_MS = 50
/** How long the list of deleted chats waits for removals in progress, in ms. */
const TRYING_MS = 2_000
const UNANSWERABLE = 'There is no terminal to confirm this. Add --yes to remove without asking.'

/** Print the newest chats, or the chats that contain some words. */
export async function chatsList(
  words: readonly string[],
  { home, json, limit, archived: isArchive }: Options & { limit: number; archived?: true },
): Promise<void> {
  const query = words.join(' ')
  // A search also covers archived chats.
  const archived = isArchive ? 'only' : query === '' ? 'without' : 'also'
  const { sessions, more } = await withClient(
    home,
    client => client['session.list']({ query, limit, archived }),
    TWICE,
  )
  if (json) return printLine(jsonLine({ chats: sessions, more }))
  if (sessions.length === 0)
    printLine(
      query !== '' ? 'No chat contains these words.' : isArchive ? 'No archived chats.' : 'No chats yet.',
    )
  for (const session of sessions) {
    const { id, title, messageCount, updatedAt, activeRunId, archived: isArchived, temporary } = session
    const details = [
      many(messageCount, 'message'),
      momentOf(updatedAt),
      isArchived && 'archived',
      temporary && 'temporary',
      activeRunId && 'is being answered',
    ]
    printLine(`${id}  ${nameOf(title)}\n    ${details.filter(Boolean).join(' · ')}`)
  }
  if (more) printAside('There are more chats. Use --limit 200.')
}

/** Print the newest messages of a chat, oldest first. */
export async function chatsShow(
  given: string,
  { home, json, limit }: Options & { limit: number },
): Promise<void> {
  await withClient(
    home,
    async client => {
      const chat = await chatNamed(client, given)
      const { messages, more } = await client['session.messages']({ id: chat.id, limit })
      if (json) return printLine(jsonLine({ chat, messages, more }))
      printLine(`${nameOf(chat.title)}\n${chat.id} · ${escapeInvisible(chat.workspace)}`)
      if (more) printAside('There are earlier messages. Use --limit 500, or “talaria chats export”.')
      for (const message of messages) {
        const who = message.role === 'tool' ? `tool ${message.name}` : WHO[message.role]
        if (message.text !== '')
          printLine(`\n${who}, ${momentOf(message.at)}:\n${stripControls(message.text)}`)
        if (message.role === 'assistant' && message.byTalaria) printLine(BY_TALARIA)
        if (message.role === 'assistant' && message.advice)
          for (const { model, text, problem } of message.advice.given)
            printLine(
              `  [advice of ${escapeInvisible(model)}] ${escapeInvisible(problem === undefined ? text : `none: ${problem}`)}`,
            )
        for (const cite of message.role === 'assistant' ? (message.cites ?? []) : [])
          printLine(escapeInvisible(sayCite(cite)))
        for (const change of message.role === 'tool' ? (message.obeyed ?? []) : [])
          printLine(escapeInvisible(tellObeyedChange(change)))
      }
    },
    TWICE,
  )
}

/** Give a chat another title. */
export async function chatsRename(given: string, words: string[], { home, json }: Options): Promise<void> {
  const title = words.join(' ').trim()
  if (title === '' || title.length > 200)
    throw new Fault('bad_input', 'A title has at least one character and at most 200.')
  await withClient(home, async client => {
    const chat = await client['session.update']({ id: (await chatNamed(client, given)).id, title })
    printLine(json ? jsonLine({ id: chat.id, title }) : `Renamed: ${nameOf(chat.title)}`)
  })
}

/** Set the decider of a chat if a setting is given, and print its state. */
export async function chatsDecider(
  given: string,
  setting: string | undefined,
  { home, json }: Options,
): Promise<void> {
  await withClient(home, async client => {
    const { chat, text } = await setDecider(client, await chatNamed(client, given), setting ?? '')
    printLine(json ? jsonLine({ id: chat.id, decider: chat.decider }) : text)
  })
}

/** Find chats by their ids. A wrong id throws before any chat is changed. */
async function chatsNamed(client: HostClient, given: readonly string[]): Promise<Session[]> {
  const chats: Session[] = []
  for (const each of given) chats.push(await chatNamed(client, each))
  return chats
}

/** Archive chats, which hides them from the list. */
export const chatsArchive = (given: readonly string[], options: Options): Promise<void> =>
  setArchived(given, true, options)
/** Put archived chats back into the list. */
export const chatsUnarchive = (given: readonly string[], options: Options): Promise<void> =>
  setArchived(given, false, options)

async function setArchived(
  given: readonly string[],
  archived: boolean,
  { home, json }: Options,
): Promise<void> {
  await withClient(home, async client => {
    const chats = await chatsNamed(client, given)
    await client['session.changeAll']({ ids: chats.map(({ id }) => id), change: { archived } })
    for (const { id, title } of chats) {
      const done = archived
        ? `Archived: ${nameOf(title)}. Bring it back: talaria chats unarchive ${id}`
        : `Back in the list: ${nameOf(title)}`
      printLine(json ? jsonLine({ id, archived }) : done)
    }
  })
}

/** Delete chats, which can be restored for some days. */
export async function chatsDelete(given: readonly string[], { home, json }: Options): Promise<void> {
  await withClient(home, async client => {
    const chats = await chatsNamed(client, given)
    for (const { id, title } of chats) {
      await client['session.remove']({ id })
      printLine(
        json ? jsonLine({ id }) : `Deleted: ${nameOf(title)}. Bring it back: talaria chats restore ${id}`,
      )
    }
  })
}

/** Print the deleted chats, newest first. */
export async function chatsDeleted({ home, json }: Options): Promise<void> {
  const deleted = await withClient(home, afterTrying, TWICE)
  if (json) return printLine(jsonLine(deleted))
  if (deleted.chats.length === 0) printLine('No deleted chats.')
  for (const each of deleted.chats) printLine(describe(each))
  if (deleted.removing > 0)
    printAside(`${many(deleted.removing, 'chat is', 'chats are')} being removed for good.`)
  for (const each of deleted.unremoved) for (const line of describeUnremoved(each)) printAside(line)
  if (deleted.paused)
    printAside(
      'The clock of this computer jumped by more than a month. Talaria removes no chats automatically until a start at least a day later confirms the date.',
    )
}

/** Read the deleted chats once the removals in progress have finished, or after `waitMs`. */
async function afterTrying(client: HostClient, waitMs = TRYING_MS) {
  const end = Date.now() + waitMs
  for (;;) {
    const found = await client['session.deleted']({})
    if (found.removing === 0 || Date.now() > end) return found
    await sleep(ASK_MS)
  }
}

function describe({ id, title, messageCount, deletedAt, daysLeft }: DeletedChat): string {
  const details = [
    many(messageCount, 'message'),
    `deleted ${momentOf(deletedAt)}`,
    `${many(daysLeft, 'day')} left`,
  ]
  return `${id}  ${nameOf(title)}\n    ${details.join(' · ')}`
}

/** Describe the files of a removed chat that could not be removed. The chat has no title any longer. */
function describeUnremoved({ id, deletedAt, files }: UnremovedChat): string[] {
  const when =
    deletedAt === null ? 'chats that were deleted earlier' : `the chat deleted ${momentOf(deletedAt)}`
  return [
    `Some files of ${when} could not be removed. Talaria tries again at each start; “talaria chats purge ${id}” tries again now.`,
    ...files.map(({ path, why }) => `    ${showHiddenInLine(path)}: ${why}`),
  ]
}

const nameOf = (title: string) => showHiddenInLine(title || 'New chat')

/** Bring deleted chats back. */
export async function chatsRestore(ids: readonly string[], { home, json }: Options): Promise<void> {
  await withClient(home, async client => {
    for (const { id } of await deletedNamed(client, ids)) {
      const chat = await client['session.restore']({ id })
      printLine(json ? jsonLine({ id }) : `Restored: ${nameOf(chat.title)}`)
    }
  })
}

/**
 * Remove deleted chats for good after asking, including files left by an earlier attempt. Wait until all
 * removals have finished. Resolves to whether the user agreed and nothing is left.
 */
export async function chatsPurge(
  ids: readonly string[],
  { home, json, all, yes }: Options & { all?: true; yes?: true },
): Promise<boolean> {
  if ((ids.length === 0) === (all === undefined))
    throw new Fault('bad_input', 'Name deleted chats, or use --all.')
  return withClient(home, async client => {
    const before = await afterTrying(client)
    const again = before.unremoved.filter(({ id }) => all || ids.includes(id)).map(({ id }) => id)
    const chats = all
      ? before.chats
      : await deletedNamed(
          client,
          ids.filter(id => !again.includes(id)),
        )
    if (chats.length + again.length === 0) {
      printLine(json ? jsonLine({ removed: [] }) : 'No deleted chats.')
      return true
    }
    const [only] = chats
    const what = chats.length === 1 ? `“${nameOf(only!.title)}”` : many(chats.length + again.length, 'chat')
    if (
      !yes &&
      only &&
      !(await confirmOnTerminal(`Remove ${what} for good? This cannot be undone.`, UNANSWERABLE))
    )
      return false
    const removed = [...chats.map(({ id }) => id), ...again]
    await client['session.purge']({ ids: removed })
    const after = await afterTrying(client, Infinity)
    const known = before.unremoved.map(({ id }) => id)
    const unremoved = after.unremoved.filter(({ id }) => removed.includes(id) || !known.includes(id))
    if (json) printLine(jsonLine({ removed, unremoved }))
    else printLine(`Removed for good: ${what}${unremoved.length > 0 ? ', but not all of it' : ''}.`)
    if (!json) for (const each of unremoved) for (const line of describeUnremoved(each)) printAside(line)
    return unremoved.length === 0
  })
}

/** Find deleted chats by their ids. */
async function deletedNamed(client: HostClient, ids: readonly string[]): Promise<DeletedChat[]> {
  const { chats } = await client['session.deleted']({})
  return [...new Set(ids)].map(given => {
    const found = chats.find(({ id }) => id === given) ?? byEnd(chats, given)
    if (!found)
      throw new Fault('not_found', `No deleted chat has the id ${given}. “talaria chats deleted” lists them.`)
    return found
  })
}

const byEnd = (chats: readonly DeletedChat[], given: string) =>
  chats.some(({ id }) => given !== '' && id.endsWith(given)) ? findById(chats, given, 'chat') : undefined

export type SearchOptions = {
  home?: string
  json?: true
  from?: string
  to?: string
  role?: 'user' | 'assistant' | 'tool'
  limit: number
}

/** Search all chats and print the best matches. Resolves to whether anything was found. */
export async function searchCommand(words: string[], options: SearchOptions): Promise<boolean> {
  const { home, json, role, limit } = options
  const query = words.join(' ').trim()
  if (query === '') throw new Fault('bad_input', 'Enter words to search for.')
  const from = momentNamed(options.from, 0)
  // The last day is included in full.
  const to = momentNamed(options.to, 1)
  return withClient(
    home,
    async client => {
      const { hits } = await client['recall.search']({
        query,
        limit,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(role !== undefined && { role }),
      })
      if (json) process.stdout.write(`${jsonLine({ hits })}\n`)
      else if (hits.length === 0) process.stderr.write('Nothing found.\n')
      else process.stdout.write(`${hits.map(showHit).join('\n\n')}\n`)
      return hits.length > 0
    },
    TWICE,
  )
}

function momentNamed(given: string | undefined, daysLater: number): number | undefined {
  if (given === undefined) return undefined
  const start = startOfDay(given)
  if (start === undefined) throw new Fault('bad_input', `“${given}” is not a date. Write it like 2026-11-21.`)
  const date = new Date(start)
  date.setDate(date.getDate() + daysLater)
  return date.getTime()
}

function showHit(hit: RecallHit): string {
  const { sessionId, origin, title, titleMarks, updatedAt, passages, archived } = hit
  const { badge } = ORIGIN_RULES[origin]
  const notes = [badge?.toLowerCase(), archived && 'archived'].filter(Boolean)
  const place = [dayOf(updatedAt), sessionId, ...notes].join('  ')
  const about = styleText('dim', place, { stream: process.stdout })
  return [`${marked(title, titleMarks)}  ${about}`, ...passages.map(showPassage)].join('\n')
}

const WHO: Record<RecallPassage['role'], string> = { user: 'you', assistant: 'agent', tool: 'tool' }

const showPassage = ({ role, text, marks }: RecallPassage) => `  ${WHO[role]}: ${marked(text, marks)}`

/** One line of text with its matches highlighted, if the screen supports it. */
function marked(text: string, marks: RecallPassage['marks']): string {
  const pieces: string[] = []
  const line = (from: number, to: number) => stripControls(text.slice(from, to)).replaceAll(/\s+/g, ' ')
  let at = 0
  for (const [from, to] of marks) {
    pieces.push(line(at, from), styleText(['bold', 'underline'], line(from, to), { stream: process.stdout }))
    at = to
  }
  return [...pieces, line(at, text.length)].join('')
}
