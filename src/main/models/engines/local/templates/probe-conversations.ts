import type { Role, Turn } from './fill-chat-template.ts'

/** A message of a conversation with which a template is tried out. */
export const turnOf = (role: Role): Turn => ({ role, generated: role === 'assistant' })

/** A name that no template contains. */
export const probeName = 'probe0tool'

/** The name of a tool that is declared only so that a template writes what it writes where there are tools. */
export const declaredName = 'probe2tool'

function talkOf(roles: string): readonly (Turn & { name: string })[] {
  return roles.split(' ').map(role => ({ ...turnOf(role as Role), name: probeName }))
}

/** Two questions with an answer between them. */
export const plainTalk: readonly Turn[] = (['system', 'user', 'assistant', 'user'] as const).map(turnOf)

/** A conversation with calls and results in all their places. */
export const toolTalk = talkOf(
  'system user assistant tool assistant tool tool assistant tool assistant user assistant tool assistant user',
)

/** Lengths at which `toolTalk` is a prompt. */
export const toolPrompts: readonly number[] = [2, 4, 7, 9, 11, 13, 15]

/**
 * Conversations that chats come to now and then: a turn that was stopped at a result, a beginning that was left out before a
 * reply, and two replies.
 */
export const oddTalks: readonly (readonly Turn[])[] = [
  'system user assistant tool user',
  'system assistant user',
  'system user assistant assistant user',
].map(talkOf)
