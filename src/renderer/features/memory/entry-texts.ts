import { plural } from '../../ui/format.ts'

export const capacityText = (used: string, limit: string, tokens: string) =>
  `${used} of ${limit} characters · about ${tokens} tokens`
export const usesText = (count: number) =>
  count === 0 ? 'not used yet' : `used in ${plural(count, '1 chat', 'chats')}`
export const actorNames = {
  you: 'You',
  agent: 'The agent',
  review: 'A review',
  file: 'Another program',
  import: 'An import',
}
export const changeVerbs = {
  add: 'added',
  edit: 'changed',
  remove: 'deleted',
  restore: 'restored',
  move: 'moved',
  lock: 'locked',
  unlock: 'unlocked',
}
