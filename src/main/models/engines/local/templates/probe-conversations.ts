import type { Role, Turn } from './fill-chat-template.ts'

/** Create a message of a test conversation for a template. */
export const turnOf = (role: Role): Turn => ({ role, generated: role === 'assistant' })

/** A name that no template contains. */
export const probeName = 'probe0tool'

/** The name of a dummy tool. It only makes a template write the text that depends on tools. */
export const declaredName = 'probe2tool'

function talkOf(roles: string): readonly (Turn & { name: string })[] {
  return roles.split(' ').map(role => ({ ...turnOf(role as Role), name: probeName }))
}

/** Two questions with an answer between them. */
export const plainTalk: readonly Turn[] = (['system', 'user', 'assistant', 'user'] as const).map(turnOf)

/** A conversation with calls and results in every possible place. */
export const toolTalk = talkOf(
  'system user assistant tool assistant tool tool assistant tool assistant user assistant tool assistant user',
)

/** The lengths at which `toolTalk` is a prompt. */
export const toolPrompts: readonly number[] = [2, 4, 7, 9, 11, 13, 15]

/**
 * Unusual conversations of real chats: a turn that was stopped at a result, a reply whose beginning was
 * dropped, and two replies in a row.
 */
export const oddTalks: readonly (readonly Turn[])[] = [
  'system user assistant tool user',
  'system assistant user',
  'system user assistant assistant user',
].map(talkOf)
