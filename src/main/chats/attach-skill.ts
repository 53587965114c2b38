import type { AttachedSkill } from '../../shared/contract/chats/messages.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import type { Skill } from '../../shared/contract/learned/skills.ts'
import { readSkillText } from '../skills/files/read-skill.ts'
import { missingTools } from '../skills/library/describe-skill.ts'
import type { Library } from '../skills/skill-types.ts'

/** The place of an existing or future chat. */
export type SkillPlace = Pick<Session, 'workspace' | 'toolsets' | 'approval' | 'projectId'>

type Parts = {
  library: Library
  /** Return the names of the tools that are on in a chat, and of their toolsets. */
  offered(this: void, place: SkillPlace): readonly string[]
  /** Return the names of the only skills that a chat's project allows; null if it allows all. */
  onlyIn(this: void, place: SkillPlace): readonly string[] | null
}

export type SkillAttacher = {
  /** Return why a skill cannot be used in this chat although it can elsewhere; null if it can. */
  whyOff(
    this: void,
    skill: Pick<Skill, 'name' | 'requires'>,
    place: SkillPlace,
    by?: 'schedule',
  ): string | null
  /** Return a skill as a message carries it, in a chat or in a scheduled run. */
  attach(this: void, id: string, place: SkillPlace, by?: 'schedule'): AttachedSkill | SkillRefusal
}

/** Why a skill cannot be attached. `isGone`: it no longer exists. */
type SkillRefusal = { refused: string; isGone?: true }

/** Create the attacher of skills to messages. It refuses skills that the model may not load itself. */
export function createSkillAttacher({ library, offered, onlyIn }: Parts): SkillAttacher {
  const whyOff: SkillAttacher['whyOff'] = ({ name, requires }, place, by) => {
    const only = onlyIn(place)
    if (only && !only.includes(name))
      return `It is not one of the skills of ${by ? 'the project of its folder' : 'this project'}.`
    const missing = missingTools(requires, new Set(offered(place).map(name => name.toLowerCase())))
    if (missing.length === 0) return null
    if (by) return `It needs tools that are off in the folder of the schedule: ${missing.join(', ')}.`
    if (place.approval === 'chat_only') return 'It needs tools, and this chat has none (“Chat only”).'
    return `It needs tools that are off in this chat: ${missing.join(', ')}. Switch them on under “Tools” below the message field, or with: talaria tools enable`
  }

  return {
    whyOff,
    attach(id, place, by) {
      // Scan first: the findings decide whether a skill, perhaps a new one, is blocked.
      if (library.get(id)) library.scan(id)
      const skill = library.get(id)?.skill
      if (!skill) return { refused: 'This skill no longer exists.', isGone: true }
      const refused = whyNot({ ...skill, unavailable: skill.unavailable ?? whyOff(skill, place, by) })
      if (refused !== null) return { refused }
      return { id, name: skill.name, text: readSkillText(library.read(id) ?? '', skill.name).body }
    },
  }
}

/** Return why a skill cannot be attached, as text; null if it can. */
function whyNot({ name, enabled, blocked, unavailable }: Skill): string | null {
  if (blocked !== null) return `The skill “${name}” is blocked until you have checked it: ${blocked}`
  if (!enabled) return `The skill “${name}” is switched off. Switch it on first, on the Skills page.`
  return unavailable === null ? null : `The skill “${name}” cannot be used here. ${unavailable}`
}
