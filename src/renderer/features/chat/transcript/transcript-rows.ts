import type { Attachment } from '../../../../shared/contract/chats/attachments.ts'
import type {
  AssistantMessage,
  AttachedSkill,
  Message,
  ToolMessage,
  UserMessage,
} from '../../../../shared/contract/chats/messages.ts'
import type { Proposal } from '../../../../shared/contract/learned/learning.ts'
import type { MemoryRevision } from '../../../../shared/contract/learned/memory.ts'
import type { EndReason } from '../../../../shared/contract/runs/run.ts'
import type { Compaction } from '../../../../shared/contract/chats/session.ts'
import type { SkillRevision } from '../../../../shared/contract/learned/skills.ts'
import type { ChatState, Claim, Note, Turn, UsedSkill } from '../store/chat-state.ts'
import { sayRead } from '../../../../shared/words/answer-words.ts'
import { filesByTurn, type TurnFiles } from '../take-back/files-by-turn.ts'
import { learnedByTurn, skillChangesByTurn, skillsUsedByTurn } from './changes-by-turn.ts'
import { offersByTurn, withoutOffered } from '../learning/chat-offers.ts'
import { cardOf, type Card } from '../calls/tool-calls.ts'

/** One row of the transcript. Its key stays the same from the first token to the stored message. */
export type TranscriptRow =
  /** `id` is null until the host has stored the message. */
  | {
      key: string
      kind: 'user'
      id: number | null
      text: string
      skill: AttachedSkill | undefined
      attachments: readonly Attachment[]
    }
  | {
      key: string
      kind: 'answer'
      /** Null while the reply streams; its text is then in `live`. */
      message: AssistantMessage | null
      thoughtMs: number | null
      /** The last reply of its turn carries the toolbar. */
      closing: boolean
    }
  | { key: string; kind: 'tool'; card: Card }
  /** Finished calls, and the thoughts between them. */
  | { key: string; kind: 'steps'; rows: readonly StepRow[] }
  | { key: string; kind: 'note'; note: Note }
  /** The user confirmed having read texts from outside. */
  | { key: string; kind: 'read'; text: string }
  | { key: string; kind: 'claim'; claim: Claim }
  | { key: string; kind: 'files'; files: TurnFiles }
  /** `cards`: the calls that made the changes, which have no rows of their own. */
  | { key: string; kind: 'learned'; revisions: readonly MemoryRevision[]; cards: readonly Card[] }
  | { key: string; kind: 'skills'; used: readonly UsedSkill[]; revisions: readonly SkillRevision[] }
  | { key: string; kind: 'offered'; proposals: readonly Proposal[] }
  | { key: string; kind: 'end'; reason: ToldEnd }
  | { key: string; kind: 'compaction'; compaction: Compaction }
  | { key: string; kind: 'comparison' }
  /** The next answer is the first by a model that needs a note in this chat. */
  | { key: string; kind: 'model_note'; text: string }
  /** Shown during a turn; `quiet` if a tool or an approval shows the activity instead. */
  | { key: string; kind: 'working'; quiet: boolean }

/** A row that can be one of the steps of a turn. */
export type StepRow = Extract<TranscriptRow, { kind: 'tool' | 'answer' }>

/** Turn endings that get a line in the transcript. */
export type ToldEnd = Exclude<EndReason, 'done'>

/** The chat data that the rows are built from: everything except `live`. */
export type RowSources = Pick<
  ChatState,
  'messages' | 'turns' | 'learned' | 'skillChanges' | 'offers' | 'dismissed'
>

/** Builds the rows of a transcript from the data that changes rarely. */
export function transcriptRows(
  { messages, turns, learned, skillChanges, offers, dismissed }: RowSources,
  pending: string | null,
  pendingFiles: readonly Attachment[] = [],
): TranscriptRow[] {
  const items: TranscriptRow[] = []
  const current = turns.at(-1)
  const isLive = current !== undefined && current.ended === null
  const groups = learnedByTurn(messages, withoutOffered(learned, offers, 'memoryRevisions'))
  const changes = skillChangesByTurn(messages, withoutOffered(skillChanges, offers, 'skillRevisions'))
  const offered = offersByTurn(messages, offers, isLive ? current.from : null)
  const uses = skillsUsedByTurn(messages, turns)
  const written = filesByTurn(messages)
  const saved = new Set([...dismissed, ...learned.map(revision => revision.messageId)])
  const claims = new Map(turns.flatMap(turn => turn.claims).map(claim => [claim.messageId, claim]))
  let askedId = 0
  /** Calls that changed memory, by turn. */
  const remembered = new Map<number, Card[]>()
  const notes = Map.groupBy(
    turns.flatMap(turn => turn.notes),
    note => note.after,
  )
  const lastOf = new Map(turns.map(turn => [turn.last, turn]))
  const pushNotes = (after: number) => {
    for (const note of notes.get(after) ?? []) items.push({ key: note.key, kind: 'note', note })
  }

  const learnedItems = (start: number): TranscriptRow[] => {
    const revisions = groups.get(start)
    const [used = [], changed = []] = [uses.get(start), changes.get(start)]
    return [
      ...(revisions
        ? [
            {
              key: `learned:${start}`,
              kind: 'learned',
              revisions,
              cards: remembered.get(start) ?? [],
            } as const,
          ]
        : []),
      ...(used.length + changed.length > 0
        ? [{ key: `skills:${start}`, kind: 'skills', used, revisions: changed } as const]
        : []),
    ]
  }

  messages.forEach((message, index) => {
    const turn = turnOf(turns, message)
    if (message.role === 'user') {
      askedId = message.id
      items.push(userItem(message))
    }
    if (message.role === 'assistant') {
      if (hasWords(message)) items.push(answerItem(message, turn))
      const results = resultsAfter(messages, index)
      for (const call of message.calls) {
        const result = results.get(call.id)
        const card = cardOf(message.id, call, turn, result)
        // The chip of the change already shows the call.
        if (call.name === 'memory' && card.phase === 'done' && groups.has(askedId))
          remembered.set(askedId, [...(remembered.get(askedId) ?? []), card])
        else items.push({ key: card.key, kind: 'tool', card })
        if (result?.read) items.push({ key: `read:${result.id}`, kind: 'read', text: sayRead(result.read) })
      }
    }
    const claim = claims.get(message.id)
    if (claim && !saved.has(message.id)) items.push({ key: `claim:${message.id}`, kind: 'claim', claim })
    const next = messages[index + 1]
    const isLastOfTurn = next === undefined || next.role === 'user'
    if (isLastOfTurn && !(isLive && turn === current)) {
      const files = written.get(askedId)
      if (files) items.push({ key: `files:${askedId}`, kind: 'files', files })
      items.push(...learnedItems(askedId))
    }
    const proposals = isLastOfTurn && offered.get(askedId)
    if (proposals) items.push({ key: `offered:${askedId}`, kind: 'offered', proposals })
    pushNotes(message.id)
    const reason = endToTell(lastOf.get(message.id), message)
    if (reason) items.push({ key: `e${message.id}`, kind: 'end', reason })
  })
  // A run that failed before it could name the message it answers.
  pushNotes(0)

  if (pending !== null)
    items.push({
      key: 'pending',
      kind: 'user',
      id: null,
      text: pending,
      skill: undefined,
      attachments: pendingFiles,
    })
  if (isLive) items.push(...underWay(current, messages, learnedItems(current.from)))
  else if (pending !== null) items.push({ key: 'working', kind: 'working', quiet: false })
  return items
}

function userItem(message: UserMessage): TranscriptRow {
  const { id, text, skill, attachments = [] } = message
  return { key: `m${id}`, kind: 'user', id, text, skill, attachments }
}

function answerItem(message: AssistantMessage, turn: Turn | undefined): TranscriptRow {
  const place = turn?.answers.indexOf(message.id) ?? -1
  const key = turn && place >= 0 ? `${turn.runId}:${place}` : `m${message.id}`
  const thoughtMs = turn?.thoughtMs[message.id] ?? null
  return {
    key,
    kind: 'answer',
    message,
    thoughtMs,
    closing: message.calls.length === 0 || message.interrupted,
  }
}

/** How a turn ended, unless the transcript already shows it. */
function endToTell(turn: Turn | undefined, last: Message): ToldEnd | null {
  if (!turn || turn.ended === null || turn.ended === 'done') return null
  const isShown = {
    stopped: last.role === 'assistant' && last.interrupted,
    failed: turn.notes.some(note => note.kind === 'error'),
    tool_calls_invalid: turn.notes.some(note => note.kind === 'warning'),
    budget_exhausted: false,
  }[turn.ended]
  return isShown ? null : turn.ended
}

/** The streaming reply, what was learned before it, and the working row until its first token. */
function underWay(
  turn: Turn,
  messages: readonly Message[],
  learned: readonly TranscriptRow[],
): TranscriptRow[] {
  const last = messages.findLast(message => message.role === 'assistant' && turn.answers.includes(message.id))
  const results = last ? resultsAfter(messages, messages.indexOf(last)) : undefined
  const open = last?.role === 'assistant' && last.calls.some(call => !results?.has(call.id))
  const answer: TranscriptRow = {
    key: `${turn.runId}:${turn.answers.length}`,
    kind: 'answer',
    message: null,
    thoughtMs: null,
    closing: false,
  }
  return [answer, ...learned, { key: 'working', kind: 'working', quiet: open }]
}

/** The results of a reply's calls follow it directly. A later turn may reuse a call id. */
function resultsAfter(messages: readonly Message[], index: number): Map<string, ToolMessage> {
  const results = new Map<string, ToolMessage>()
  for (let at = index + 1; ; at++) {
    const message = messages[at]
    if (message?.role !== 'tool') return results
    results.set(message.callId, message)
  }
}

/** The turn that a message belongs to, if this window followed it. */
const turnOf = (turns: readonly Turn[], message: Message) =>
  turns.findLast(turn => turn.from > 0 && turn.from <= message.id)

const hasWords = (message: AssistantMessage) =>
  message.text.trim() !== '' || message.reasoning.trim() !== '' || message.interrupted

/** The index of the row that shows a message, else of the nearest row before it; -1 if there is neither. */
export function rowOf(items: readonly TranscriptRow[], messageId: number): number {
  const exact = items.findIndex(item => messagesOf(item).includes(messageId))
  return exact >= 0 ? exact : items.findLastIndex(item => messagesOf(item).some(id => id < messageId))
}

/** The ids of the messages that a row shows. */
export function messagesOf(item: TranscriptRow): readonly number[] {
  if (item.kind === 'user') return item.id === null ? [] : [item.id]
  if (item.kind === 'answer') return item.message ? [item.message.id] : []
  if (item.kind === 'steps') return item.rows.flatMap(messagesOf)
  const cards = item.kind === 'tool' ? [item.card] : item.kind === 'learned' ? item.cards : []
  return cards.flatMap(({ messageId, result }) => (result ? [messageId, result.id] : [messageId]))
}
