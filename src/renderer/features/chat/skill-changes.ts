import type { Message, ToolCall } from '../../../shared/contract/messages.ts'
import type { SkillRevision } from '../../../shared/contract/skills.ts'
import { diffLines } from '../../ui/diff-lines.ts'
import type { Turn, UsedSkill } from './chat-state.ts'
import { byTurn } from './learned.ts'

/** Changes that a person wants to hear of in the chat; whether a skill is on is for the Skills page. */
const told = new Set<SkillRevision['op']>(['create', 'edit', 'delete', 'restore', 'import', 'reset'])

/** What was changed in the skills in each turn, by the id of the message that began it. */
export const skillChangesByTurn = (
  messages: readonly Message[],
  changes: readonly SkillRevision[],
): Map<number, SkillRevision[]> =>
  byTurn(
    messages,
    changes.filter(({ op }) => told.has(op)),
  )

/**
 * The skills that each turn loaded, by the id of the message that began it: as the run told, or, of turns that this window
 * has not followed, as the stored calls say.
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
      const used = followed.get(start) ?? []
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

/** The skill that a call has loaded; undefined when it did something else. */
function loaded(call: ToolCall | undefined): string | undefined {
  const name = call?.name === 'skill_view' ? call.arguments['name'] : undefined
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined
}

/** How many lines a change added to texts and took from them. */
export function lineCounts({ files }: Pick<SkillRevision, 'files'>): { added: number; removed: number } {
  const total = { added: 0, removed: 0 }
  for (const { before, after, binary } of files) {
    if (binary) continue
    // A text without a line has none, and the last line break begins none.
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
