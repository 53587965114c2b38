import { parseQuery } from '../../../src/main/chats/search/query.ts'
import { matchRanges } from '../../../src/main/chats/search/matches.ts'
import type { Recall } from '../../../src/main/chats/search/recall.ts'
import type { RecalledMessage } from '../../../src/main/db/search/recall-tables.ts'
import type { Store } from '../../../src/main/db/store.ts'
import type { Desk, DeskChat } from './desk.ts'

type Parts = { recall: Recall; store: Pick<Store, 'recall' | 'sessions'> }

/** The earlier chats of a desk, as far as the tool for them asks. Ranked by how many of the words are there. */
export function recallOf(desk: () => Desk): Parts {
  const chatOf = (id: number) => desk().chats.find(chat => chat.messages.some(message => message.id === id))

  const recall: Recall = question => {
    const ask = parseQuery(question.query)
    const wanted = ask.wanted.length > 0 ? ask.wanted : ask.everyday
    const messages = desk()
      .chats.flatMap(chat =>
        chat.messages.map(({ id, text }) => ({
          id,
          sessionId: chat.id,
          chatId: chat.id,
          score: matchRanges(text, wanted).length,
        })),
      )
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || a.id - b.id)
    const found = [...Map.groupBy(messages, ({ chatId }) => chatId)].map(([chatId, best]) => ({
      chatId,
      best: best.map(({ id }) => id),
      score: best[0]!.score,
    }))
    // Typed as what it returns, so that a new part of it is not forgotten here.
    const recalled: ReturnType<Recall> = {
      chats: found,
      messages,
      wanted,
      everyday: ask.wanted.length === 0,
      unattended: new Set(),
    }
    return recalled
  }

  const store = {
    sessions: {
      get: (id: string) => {
        const chat = desk().chats.find(each => each.id === id)
        return chat && { ...chat, updatedAt: chat.at }
      },
      list: () => ({
        sessions: desk().chats.map(({ id, title, at, messages }) => ({
          id,
          title,
          updatedAt: at,
          messageCount: messages.length,
          preview: messages[0]?.text ?? '',
        })),
      }),
    },
    recall: {
      around(id: number, reach: number) {
        const chat = chatOf(id)
        const at = chat?.messages.findIndex(message => message.id === id) ?? -1
        return chat ? recalled(chat).slice(Math.max(0, at - reach), at + reach + 1) : []
      },
      ends(sessionId: string, most: number) {
        const chat = desk().chats.find(each => each.id === sessionId)
        const all = chat ? recalled(chat) : []
        return [...all.slice(0, most), ...all.slice(-most)]
      },
      page(sessionId: string, { offset, limit }: { offset: number; limit: number }) {
        const chat = desk().chats.find(each => each.id === sessionId)
        const all = chat ? recalled(chat) : []
        return { messages: all.slice(offset, offset + limit), total: all.length }
      },
      roots: (ids: readonly string[]) => new Map(ids.map(id => [id, id])),
      unattended: () => new Set<string>(),
    },
  }
  // The tool asks for nothing else.
  return { recall, store: store as unknown as Parts['store'] }
}

const recalled = ({ id: sessionId, at, messages }: DeskChat): RecalledMessage[] =>
  messages.map(({ id, role, text }) => ({
    id,
    sessionId,
    role,
    text,
    at,
    compacted: false,
    elsewhere: false,
  }))
