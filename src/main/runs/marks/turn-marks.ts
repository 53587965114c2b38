import type { Message, NewMessage, StrangersMark } from '../../../shared/contract/chats/messages.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import type { TurnMarks, TurnPorts } from '../../agent/turn-types.ts'
import type { Store } from '../../db/store.ts'
import { boundMarks, mergeMarks } from '../../untrusted/strangers-marks.ts'
import { marksOfOutputs } from './output-marks.ts'

/** The chat of a turn, with its parent. */
type MarkedChat = Pick<Session, 'id' | 'parentId' | 'origin'>
type Sources = { store: Pick<Store, 'marks'>; home: string; now(): number }

/**
 * The marks of one turn: those of all messages that its model reads, minus those ended in the chat. `read`
 * collects them from the history.
 */
function marksOfTurn(
  { store, home, now }: Sources,
  { id, parentId, origin }: MarkedChat,
): TurnMarks & { read(messages: readonly Message[]): void } {
  let known: readonly StrangersMark[] = []
  // A copied chat has a parent too, but what the user read there was not read here.
  const chats = origin === 'sub_agent' && parentId !== null ? [id, parentId] : [id]
  const add = (marks: readonly StrangersMark[]) => {
    if (marks.length > 0) known = mergeMarks(known, marks)
  }
  return {
    current() {
      if (known.length === 0) return known
      // A sub-agent asks in its parent chat, so marks that were ended there do not ask again.
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
 * Let a turn follow the marks in its context: collect them from each history that its model reads, and add
 * them to each answer. Only the history that the model gets is read, never the whole of a long chat.
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

/** A message of the model, with the marks of everything the model has read. */
function marked(message: NewMessage, strangers: TurnMarks): NewMessage {
  const marks = mergeMarks(message.marks, strangers.current())
  return marks.length === 0 ? message : { ...message, marks: [...boundMarks(marks)] }
}
