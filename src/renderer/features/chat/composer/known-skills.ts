import type { Personality } from '../../../../shared/contract/chats/session.ts'
import type { Skill } from '../../../../shared/contract/learned/skills.ts'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { keepValue, readKept } from '../../../ui/local-storage.ts'
import { useSession, useWorkspace } from '../store/open-chats.ts'

const NONE: readonly Skill[] = []

/** The skills of the library. */
export function useKnownSkills(): readonly Skill[] {
  const answer = useAnswer('skills.list', {}, { isTold: true })
  return answer?.ok ? answer.value.skills : NONE
}

/** The answering styles, read each time they are needed, because changes of their files are not reported. */
export function useStyles(wanted: boolean): readonly Personality[] {
  const styles = useAnswer('session.personalities', {}, { isOff: !wanted, by: String(wanted) })
  return wanted && styles?.ok ? styles.value.personalities : []
}

/** The current version of a skill named in a chat; undefined if it was deleted. */
export function presentSkill(
  skills: readonly Skill[],
  { id = null, key, name }: { id?: string | null; key?: string; name: string },
): Skill | undefined {
  const used = skills.filter(skill => skill.shadowedBy === null)
  return (
    skills.find(skill => skill.id === id) ??
    used.find(skill => (key === undefined ? skill.name === name : skill.key === key))
  )
}

/** An entry of the slash menu. */
export type SlashOffer = {
  /** The text to insert, including its slash. A group is a word after which the menu offers more words. */
  word: string
  /** A one-line description. */
  says: string
  kind: 'command' | 'skill' | 'group' | 'template'
  /** How many times the skill was loaded. */
  loads: number
}

/** Slash commands that the host understands. */
const sayable = /^[\p{L}\d._-]{1,64}$/u

/** The skills that this chat can send, most used first. Read only while `wanted`. */
export function useSkillsHere(wanted: boolean): readonly Skill[] {
  const session = useSession()
  const workspace = useWorkspace()
  const place = session ? { sessionId: session.id } : { folder: workspace }
  const { toolsets = {}, approval = 'ask' } = session ?? {}
  // A new chat that becomes a session has the same skills.
  const by = JSON.stringify([wanted, workspace, toolsets, approval])
  const skills = useAnswer('skills.forChat', place, { isOff: !wanted, by })
  if (!wanted || !skills?.ok) return []
  return skills.value.skills.filter(({ name, unavailable }) => unavailable === null && sayable.test(name))
}

/** The word after the slash, or the name of a style, if the message is nothing else; else undefined. */
export const slashWord = (draft: string): string | undefined =>
  /^\/([\p{L}\d._-]{0,64}|personality [\w-]{0,32})$/u.exec(draft)?.[1]

/** The entries that match a partial word: prefix matches first, then matches inside the name. */
export function matchingSkills(offers: readonly SlashOffer[], typed: string): SlashOffer[] {
  const word = typed.toLowerCase()
  const rank = (offer: SlashOffer) => {
    const name = offer.word.slice(1).toLowerCase()
    if (name.startsWith(word)) return 0
    return name.split(/[._-]/u).some(part => part.startsWith(word)) ? 1 : 2
  }
  return offers.filter(offer => rank(offer) < 2).toSorted((a, b) => rank(a) - rank(b))
}

/** The headings of the menu. */
const titles = { command: 'Commands', group: 'Commands', skill: 'Skills', template: 'Templates' } as const

/** The entries under their headings: the heading of the best match first, and its matches in their order. */
export function inGroups(offers: readonly SlashOffer[]): [title: string, offers: SlashOffer[]][] {
  return [...Map.groupBy(offers, ({ kind }) => titles[kind])]
}

/** The browser storage key for how often each command was chosen from the menu. */
const USES_KEY = 'commands'

/** How often each command was chosen. */
function readUses(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(readKept(USES_KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, number>) : {}
  } catch {
    return {}
  }
}

/** Note that a command was chosen. */
export function noteCommand(word: string): void {
  const uses = readUses()
  keepValue(USES_KEY, JSON.stringify({ ...uses, [word]: (Number(uses[word]) || 0) + 1 }))
}

/** The commands, most used first. */
export function mostUsedFirst(commands: readonly SlashOffer[]): SlashOffer[] {
  const uses = readUses()
  const count = ({ word }: SlashOffer) => Number(uses[word]) || 0
  return commands.toSorted((a, b) => count(b) - count(a))
}
