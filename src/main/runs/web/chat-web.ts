import type { Message, ToolCall } from '../../../shared/contract/chats/messages.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { FREE_READS } from '../../agent/approvals/web-known.ts'
import { isSummary } from '../../agent/compaction/apply-compaction.ts'
import type { TurnWeb } from '../../agent/turn-types.ts'
import type { Store } from '../../db/store.ts'
import { prepareText, type Prepared } from '../../untrusted/borrowed-words.ts'
import { runInSlices } from '../../lib/timing.ts'
import { addressesOn, addressesSaid, canonicalAddress } from '../../lib/network/web-address.ts'

type Sources = { store: Pick<Store, 'messages' | 'sessions'> }
type Chat = Pick<Session, 'id' | 'parentId' | 'origin'>

const SEARCH = 'web_search'
const READ = 'web_read'
/** Tools whose results are only what the model wrote itself. */
const OF_MODEL = new Set(['todo'])
/** Maximum number of messages to read of a chat, the newest, and how many per page. */
const MOST_MESSAGES = 2_000
const PAGE = 100
/** How many of the newest searches to compare: a text could leave in pieces, even over several turns. */
const MOST_EARLIER = 20

/**
 * The web usage that needed no card, per chat with a running turn. Sub-agents share the usage of their parent
 * chat. The code that runs a turn removes its entry.
 */
export type WebTurns = Map<
  string,
  { reads: number; searches: string[]; prompts: Map<string, Prepared | undefined> }
>

/** Track what a chat knows that matters for its web calls. Each message is read once per turn. */
export function followWeb(
  { store }: Sources,
  chat: Chat,
  { turns, runsAlone }: { turns: WebTurns; runsAlone: boolean },
): TurnWeb {
  const behind = chatsBehind(store, chat)
  const shared = behind.map(({ id }) => turns.get(id)).find(found => found !== undefined)
  const chats = behind.map(each => readChat(store, each, { isTaskKnown: shared !== undefined }))
  const used = shared ?? { reads: 0, searches: [], prompts: new Map<string, Prepared | undefined>() }
  turns.set(chat.id, used)
  return {
    hasPrompt(system) {
      if (!used.prompts.has(system)) used.prompts.set(system, undefined)
    },
    async known(system) {
      // Include the prompts of the parent chat: the task of a sub-agent may contain facts about the user.
      for (const each of new Set([...used.prompts.keys(), system]))
        if (used.prompts.get(each) === undefined) used.prompts.set(each, prepareText(each))
      for (const each of chats) await runInSlices(each.readOn())
      const [only, ...more] = chats
      return {
        own: chats.flatMap(({ own }) => own),
        others: [
          ...[...used.prompts.values()].filter(each => each !== undefined),
          ...chats.flatMap(({ others }) => others),
        ],
        found: only && more.length === 0 ? only.found : new Set(chats.flatMap(({ found }) => [...found])),
        earlier: [...new Set([...chats.flatMap(({ searched }) => searched), ...used.searches])].slice(
          -MOST_EARLIER,
        ),
        readsLeft: FREE_READS - used.reads,
        ...(runsAlone && { needsGrant: true }),
      }
    },
    ran(web, how) {
      if (web.kind === 'search') used.searches = [...used.searches, web.words].slice(-MOST_EARLIER)
      else used.reads = how === 'asked' ? 0 : used.reads + 1
    },
  }
}

/** A chat and the chats that it works for. The user's words in any of them may be used. */
function chatsBehind(store: Sources['store'], chat: Chat): Chat[] {
  const behind =
    chat.origin === 'sub_agent' && chat.parentId !== null ? store.sessions.get(chat.parentId) : undefined
  return [chat, ...(behind ? chatsBehind(store, behind) : [])]
}

/** Reads the texts of one chat, then whatever arrived since. */
function readChat(
  { messages }: Sources['store'],
  { id, origin }: Chat,
  { isTaskKnown }: { isTaskKnown: boolean },
) {
  const own: Prepared[] = []
  const others: Prepared[] = []
  const found = new Set<string>()
  const searched: string[] = []
  const calls = new Map<string, ToolCall>()
  /** A task from another model is neither the user's nor from outside, if that model's input is known. */
  const isPersons = origin !== 'sub_agent'
  let last = 0

  function add(message: Message) {
    if (message.role === 'assistant') {
      for (const call of message.calls)
        if (call.name === SEARCH || call.name === READ) calls.set(call.id, call)
      return
    }
    if (message.role === 'user') {
      for (const text of [message.documents, message.reports, message.skill?.text])
        if (text !== undefined) others.push(prepareText(text))
      if (isSummary(message)) others.push(prepareText(message.text))
      else if (isPersons) {
        own.push(prepareText(message.text))
        for (const address of addressesSaid(message.text)) found.add(address)
      } else if (!isTaskKnown) others.push(prepareText(message.text))
      return
    }
    if (OF_MODEL.has(message.name)) return
    others.push(prepareText(message.text))
    const { web, decision } = message.record
    const query = calls.get(message.callId)?.arguments['query']
    // Searched words have left this computer already, and results repeat them.
    if (message.name === SEARCH && decision === 'ran' && typeof query === 'string') {
      own.push(prepareText(query))
      searched.push(query)
    }
    if (!web || (message.name !== SEARCH && message.name !== READ)) return
    const pages = web.pages.flatMap(({ address }) => canonicalAddress(address) ?? [])
    const base = message.name === READ ? pages[0] : undefined
    for (const address of [...pages, ...addressesOn(message.text, base)]) found.add(address)
  }

  function* readOn(): Generator<undefined, void> {
    const fresh: Message[] = []
    let before: number | undefined
    while (fresh.length < MOST_MESSAGES) {
      const page = messages.page(id, { limit: PAGE, ...(before !== undefined && { before }) })
      fresh.unshift(...page.messages.filter(message => message.id > last))
      before = page.messages[0]?.id
      yield
      if (!page.more || before === undefined || before <= last) break
    }
    for (const message of fresh) {
      add(message)
      last = Math.max(last, message.id)
      yield
    }
  }
  return { id, own, others, found, searched, readOn }
}
