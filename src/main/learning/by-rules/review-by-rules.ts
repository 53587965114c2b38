import type { MemoryEntry, MemoryProject } from '../../../shared/contract/learned/memory.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { isSummary } from '../../agent/compaction/apply-compaction.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import type { MemoryStep } from '../../memory/plan-change.ts'
import { sayTheSame } from '../../memory/alike/same-fact.ts'
import type { Memory } from '../../memory/open-memory.ts'
import type { ProposalSink } from '../proposals/propose-memory.ts'
import { findStatements, namesSecret, type Statement } from './find-statements.ts'
import { takesBack } from './own-words.ts'
import { findReplaced, saysSame } from './replaced-entry.ts'

/** Dependencies of a review by rules. */
export type RulesParts = {
  /** The notebook of the review: a change to it is saved or proposed. */
  memory: Pick<Memory, 'view' | 'change' | 'project' | 'projectId'>
  sink: Pick<ProposalSink, 'heldBack'>
  /** The folder or project whose notes the reviewed chat uses. */
  notesAt: string | MemoryProject
}

/** Maximum number of statements to propose per review, the most certain first. */
const MOST_A_REVIEW = 5
/** Placeholder; the notebook of the review fills in the rest. */
const REVIEW = { actor: 'review', sessionId: null, messageId: null, reviewId: null } as const

/**
 * Propose the user's lasting statements in these messages, in their own words. No model is asked: rules
 * accept or drop whole sentences. Known statements are left out, and a correction replaces its entry. Returns
 * reasons for failures.
 */
export function proposeByRules(
  { memory, sink, notesAt }: RulesParts,
  messages: readonly Message[],
): string[] {
  const projectId = memory.projectId(notesAt)
  const known = memory.view().entries.filter(each => each.project === null || each.project === projectId)
  return chosenIn(messages, known, sink).flatMap(statement => {
    // Each statement is changed separately: one that does not fit, or is unsafe, does not stop the others.
    const outcome = memory.change([stepFor(statement, known, { memory, notesAt })], REVIEW)
    return isRefusal(outcome) ? [outcome.refused] : []
  })
}

function chosenIn(
  messages: readonly Message[],
  known: readonly MemoryEntry[],
  sink: RulesParts['sink'],
): Statement[] {
  const own = messages.flatMap((message, index) => (isOwn(message) ? [{ text: message.text, index }] : []))
  const said = own.flatMap(({ text, index }, at) =>
    isDoneInChat(messages, index) || takesBack(own[at + 1]?.text ?? '') ? [] : findStatements(text),
  )
  const chosen: Statement[] = []
  for (const statement of said) {
    if (namesSecret(statement.text)) {
      sink.heldBack(statement.text)
      continue
    }
    if (known.some(({ text }) => saysSame(statement.text, text) || sayTheSame(statement.text, text))) continue
    // A statement that was retracted in the same conversation is dropped.
    const before = findReplaced(statement, chosen)?.entry
    const same = chosen.find(({ text }) => saysSame(statement.text, text))
    if (same) continue
    if (before) chosen.splice(chosen.indexOf(before), 1)
    chosen.push(statement)
  }
  const surest = new Set(chosen.toSorted((a, b) => a.rank - b.rank).slice(0, MOST_A_REVIEW))
  return chosen.filter(statement => surest.has(statement))
}

/** Whether the user wrote the message: it is no summary and contains no stranger's text. */
const isOwn = (message: Message): boolean =>
  message.role === 'user' && !isSummary(message) && (message.marks ?? []).length === 0

/** Whether the agent saved something in reply to the message. If so, that decision stands. */
function isDoneInChat(messages: readonly Message[], index: number): boolean {
  const next = messages.findIndex((message, at) => at > index && message.role === 'user')
  return messages
    .slice(index, next < 0 ? undefined : next)
    .some(message => message.role === 'tool' && message.name === 'memory' && message.ok)
}

function stepFor(
  statement: Statement,
  known: readonly MemoryEntry[],
  { memory, notesAt }: Pick<RulesParts, 'memory' | 'notesAt'>,
): MemoryStep {
  const replaced = findReplaced(statement, known)
  if (replaced) return { kind: 'edit', id: replaced.entry.id, text: replaced.text }
  const { target, text } = statement
  return target === 'project'
    ? { kind: 'add', target: 'memory', project: memory.project(notesAt).id, text }
    : { kind: 'add', target, project: null, text }
}
