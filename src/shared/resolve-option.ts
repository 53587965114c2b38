import type { ChatOption, OptionLevel } from './contract/chats/chat-options.ts'

/** What is set for an option: null and undefined stand for nothing. Of the folders around a chat the nearest stands first. */
export type SetValues<V> = { [L in Exclude<OptionLevel, 'folder'>]?: V | null | undefined } & {
  folder?: readonly { folder: string; value: V }[] | undefined
}

/** A value with where it is set. */
export type SetValue<V> = { level: OptionLevel; folder?: string; value: V }

/**
 * The model and the folder of a new chat. They have columns of their own, since the database looks chats up by them, but are chosen
 * as options are.
 */
export const CHOSEN_AT_START = { precedence: ['chat', 'project', 'settings'], default: '' } as const

/** All that is set for an option of a chat, what counts first at the beginning. This is the only place that knows the order. */
export function orderValues<V>(
  { precedence }: Pick<ChatOption, 'precedence'>,
  set: SetValues<V>,
): SetValue<V>[] {
  return precedence.flatMap((level): SetValue<V>[] => {
    if (level === 'folder') return (set.folder ?? []).map(each => ({ level, ...each }))
    const value = set[level]
    return value === undefined || value === null ? [] : [{ level, value }]
  })
}

/** The value of an option that counts for a chat. */
export function resolveOption<V>(
  option: Pick<ChatOption, 'precedence' | 'byField'> & { default: NoInfer<V> },
  set: SetValues<V>,
): V {
  const values = orderValues(option, set).map(({ value }) => value)
  if (!option.byField) return values[0] ?? option.default
  return Object.assign({}, option.default, ...values.toReversed()) as V
}
