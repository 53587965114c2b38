import type { HostHandlers } from '../../shared/contract/index.ts'
import type { AttachedSkill } from '../../shared/contract/messages.ts'
import type { Skill } from '../../shared/contract/skills.ts'
import { Fault } from '../../shared/rpc.ts'
import type { Runs } from '../runs/runs.ts'
import { readSkillText } from '../skills/files/read-skill.ts'
import type { Library } from '../skills/types.ts'
import type { Store } from '../db/types.ts'

type Parts = { runs: Runs; library: Library; store: Pick<Store, 'sessions'> }

/** Send messages to the agent; watch, stop and answer its runs. */
export function chatHandlers({ runs, library, store }: Parts) {
  /** A skill attached to a message. The model must be allowed to load it too. */
  function attached(id: string): AttachedSkill {
    // Scan first: the findings decide whether a skill, perhaps a new one, is blocked.
    if (library.get(id)) library.scan(id)
    const skill = library.get(id)?.skill
    if (!skill) throw new Fault('bad_input', 'This skill does not exist any more.')
    const why = whyNot(skill)
    if (why !== null) throw new Fault('bad_input', why)
    return { id, name: skill.name, text: readSkillText(library.read(id) ?? '', skill.name).body }
  }

  /** `/name and more` attaches the skill of that name. Any other text that begins with a slash is only text. */
  function named(text: string, sessionId: string): { text: string; skill?: AttachedSkill } {
    const [, name, rest] = /^\/([\p{L}\d._-]{1,64})(?:\s+([\s\S]*))?$/u.exec(text) ?? []
    const session = name === undefined ? undefined : store.sessions.get(sessionId)
    if (name === undefined || !session) return { text }
    const known = library.forChat(session.workspace).find(each => each.skill.name === name)
    if (!known) return { text }
    return { text: rest?.trim() || `Use the skill ${name}.`, skill: attached(known.skill.id) }
  }

  return {
    'chat.send'({ sessionId, text, skill, draft }) {
      const message = skill === undefined ? named(text, sessionId) : { text, skill: attached(skill) }
      return runs.send(sessionId, message.text, { skill: message.skill, draft })
    },
    'chat.compact': ({ sessionId, focus }) => runs.compact(sessionId, focus),
    'run.watch': ({ runId, after }, signal) => runs.watch(runId, after, signal),
    'run.stop'({ runId }) {
      runs.stop(runId)
      return {}
    },
    'run.approve'({ runId, approvalId, decision, note }) {
      runs.answer(runId, approvalId, { decision, note })
      return {}
    },
  } satisfies Partial<HostHandlers>
}

/** The reason a skill cannot be attached, as text; null when it can. */
function whyNot({ name, enabled, blocked, unavailable }: Skill): string | null {
  if (blocked !== null) return `The skill “${name}” is kept back until you have looked at it: ${blocked}`
  if (!enabled) return `The skill “${name}” is switched off. Switch it on first, on the Skills page.`
  return unavailable === null ? null : `The skill “${name}” cannot be used here. ${unavailable}`
}
