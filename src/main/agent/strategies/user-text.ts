import type { UserMessage } from '../../../shared/contract/messages.ts'

/** What a model reads of a person’s message: a skill that was sent along stands before it. */
export const userText = ({ text, skill }: Pick<UserMessage, 'text' | 'skill'>): string =>
  skill === undefined ? text : `[Skill: ${skill.name}]\n${skill.text.trim()}\n[End of the skill]\n\n${text}`
