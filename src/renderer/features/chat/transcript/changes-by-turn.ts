import type { MemoryRevision } from '../../../../shared/contract/learned/memory.ts'
import type { Message, ToolCall } from '../../../../shared/contract/chats/messages.ts'
import type { SkillRevision } from '../../../../shared/contract/learned/skills.ts'
import { diffLines } from '../../../ui/text/diff-text.ts'
import type { Turn, UsedSkill } from '../store/chat-state.ts'

/** A change that a turn made to memory or to a skill. */
type Change = Pick<MemoryRevision, 'id' | 'messageId' | 'undoes'>

/** Changes worth showing in the chat. Moves and locks appear only on the Memory page. */
const shownMemoryOps = new Set<MemoryRevision['op']>(['add', 'edit', 'remove', 'restore'])

/** Changes per turn, keyed by the id of the user's message. Turns that are not loaded are omitted. */
export const learnedByTurn = (
  messages: readonly Message[],
  learned: readonly MemoryRevision[],
): Map<number, MemoryRevision[]> =>
  byTurn(
    messages,
    learned.filter(({ op }) => shownMemoryOps.has(op)),
  )

/** Changes by the id of the message that started their turn. An undo appears with the change it undoes. */
function byTurn<R extends Change>(messages: readonly Message[], changes: readonly R[]): Map<number, R[]> {
  const starts = messages.filter(message => message.role === 'user').map(message => message.id)
  const groups = new Map<number, R[]>()
  for (const change of changes) {
    const { messageId, undoes } = change
    if (messageId === null || undoes !== null) continue
    const start = starts.findLast(id => id <= messageId)
    if (start !== undefined) groups.set(start, [...(groups.get(start) ?? []), change])
  }
  return groups
}

const memoryVerbs: Partial<Record<MemoryRevision['op'], string>> = {
  add: 'Saved',
  edit: 'Corrected',
  remove: 'Removed',
  restore: 'Restored',
}
/** What happened to an entry, in one word. */
export const learnedVerb = (op: MemoryRevision['op']): string => memoryVerbs[op] ?? 'Corrected'

/** The text that a memory change is about: the saved text, or the removed one. */
export const learnedText = ({ after, before }: Pick<MemoryRevision, 'after' | 'before'>): string =>
  after ?? before ?? ''

/** Changes worth showing in the chat. Turning a skill on or off appears only on the Skills page. */
const shownSkillOps = new Set<SkillRevision['op']>(['create', 'edit', 'delete', 'restore', 'import', 'reset'])

const skillVerbs: Partial<Record<SkillRevision['op'], string>> = {
  create: 'Skill created',
  edit: 'Skill changed',
  delete: 'Skill deleted',
  restore: 'Skill restored',
  import: 'Skill imported',
  reset: 'Skill reset to its original',
}
/** What happened to a skill, in a few words. */
export const skillVerb = (op: SkillRevision['op']): string => skillVerbs[op] ?? 'Skill changed'

/** Skill changes per turn, by the id of the message that started the turn. */
export const skillChangesByTurn = (
  messages: readonly Message[],
  changes: readonly SkillRevision[],
): Map<number, SkillRevision[]> =>
  byTurn(
    messages,
    changes.filter(({ op }) => shownSkillOps.has(op)),
  )

/**
 * Skills used per turn, by the id of the message that started the turn: the one that the user chose, and those
 * that the model loaded, by the run or by the stored calls for turns that this window did not follow.
 */
export function skillsUsedByTurn(
  messages: readonly Message[],
  turns: readonly Turn[],
): Map<number, readonly UsedSkill[]> {
  const followed = new Map(turns.filter(turn => turn.from > 0).map(turn => [turn.from, turn.used]))
  const uses = new Map<number, readonly UsedSkill[]>()
  const calls = new Map<string, ToolCall>()
  let start = 0
  for (const message of messages) {
    if (message.role === 'user') {
      start = message.id
      calls.clear()
      const { skill } = message
      const loadedHere = (followed.get(start) ?? []).filter(each => each.name !== skill?.name)
      const used = [...(skill ? [{ id: skill.id, name: skill.name }] : []), ...loadedHere]
      if (used.length > 0) uses.set(start, used)
    } else if (message.role === 'assistant') for (const call of message.calls) calls.set(call.id, call)
    else if (message.ok && !followed.has(start)) {
      const name = loaded(calls.get(message.callId))
      const known = uses.get(start) ?? []
      if (name === undefined || known.some(each => each.name === name)) continue
      uses.set(start, [...known, { id: null, name }])
    }
  }
  return uses
}

/** The skill that a call loaded; undefined for other calls. */
function loaded(call: ToolCall | undefined): string | undefined {
  const name = call?.name === 'skill_view' ? call.arguments['name'] : undefined
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined
}

/** How many lines a change added and removed. */
export function lineCounts({ files }: Pick<SkillRevision, 'files'>): { added: number; removed: number } {
  const total = { added: 0, removed: 0 }
  for (const { before, after, binary } of files) {
    if (binary) continue
    // An empty text has no lines, and a trailing line break starts no new line.
    const [old, now] = [before, after].map(text => text?.replace(/\n$/u, '') ?? '')
    if (!old || !now) {
      if (now) total.added += now.split('\n').length
      if (old) total.removed += old.split('\n').length
      continue
    }
    for (const part of diffLines(old, now)) {
      if ('same' in part) continue
      total.added += part.after.length
      total.removed += part.before.length
    }
  }
  return total
}
