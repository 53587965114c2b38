import type { Message, NewMessage, StrangersMark } from '../../../shared/contract/chats/messages.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import type { TurnMarks, TurnPorts } from '../../agent/turn-types.ts'
import type { Store } from '../../db/store.ts'
import { boundMarks, mergeMarks } from '../../untrusted/strangers-marks.ts'
import { marksOfOutputs } from './output-marks.ts'

/** The chat of a turn, and the one that it works for. */
type MarkedChat = Pick<Session, 'id' | 'parentId' | 'origin'>
type Sources = { store: Pick<Store, 'marks'>; home: string; now(): number }

/** The marks of one turn: those of what its model reads, which `read` takes from its history, without those ended in the chat. */
function marksOfTurn(
  { store, home, now }: Sources,
  { id, parentId, origin }: MarkedChat,
): TurnMarks & { read(messages: readonly Message[]): void } {
  let known: readonly StrangersMark[] = []
  // The parent of a copy is another chat, in which the person may have read what nobody has read here.
  const chats = origin === 'sub_agent' && parentId !== null ? [id, parentId] : [id]
  const add = (marks: readonly StrangersMark[]) => {
    if (marks.length > 0) known = mergeMarks(known, marks)
  }
  return {
    current() {
      if (known.length === 0) return known
      // A sub-agent asks in the chat that it works for, so what was ended there does not ask again.
      const ended = chats.map(each => store.marks.ended(each))
      return known.filter(mark => !ended.some(ids => ids.has(mark.id)))
    },
    add,
    end: ids => store.marks.end(id, ids, now()),
    readFrom: marksOfOutputs({ home, store }),
    read(messages) {
      for (const { marks } of messages) if (marks) add(marks)
    },
  }
}

/**
 * Let a turn follow the marks in its context: they are taken from each history that its model reads, and given to each answer. A
 * history is as long as the model gets it, so a long chat is not read for its marks.
 */
export function followMarks(
  sources: Sources,
  chat: MarkedChat,
  ports: TurnPorts,
  earlier: readonly StrangersMark[] = [],
): { ports: TurnPorts; strangers: TurnMarks } {
  const { read, ...strangers } = marksOfTurn(sources, chat)
  strangers.add(earlier)
  const following: TurnPorts = {
    ...ports,
    async history(since, most) {
      const messages = await ports.history(since, most)
      read(messages)
      return messages
    },
    append: message => ports.append(message.role === 'assistant' ? marked(message, strangers) : message),
  }
  return { ports: following, strangers }
}

/** What a model wrote, with the marks of all that it read. */
function marked(message: NewMessage, strangers: TurnMarks): NewMessage {
  const marks = mergeMarks(message.marks, strangers.current())
  return marks.length === 0 ? message : { ...message, marks: [...boundMarks(marks)] }
}
