import type { ChatOption, OptionLevel } from './contract/chats/chat-options.ts'

/**
 * The values set for an option; null and undefined mean not set. Of the folders around a chat, the nearest
 * comes first.
 */
export type SetValues<V> = { [L in Exclude<OptionLevel, 'folder'>]?: V | null | undefined } & {
  folder?: readonly { folder: string; value: V }[] | undefined
}

/** A value with the level where it is set. */
export type SetValue<V> = { level: OptionLevel; folder?: string; value: V }

/**
 * The model and the folder of a new chat. They have their own columns, because the database finds chats by
 * them, but are chosen like options.
 */
export const CHOSEN_AT_START = { precedence: ['chat', 'project', 'settings'], default: '' } as const

/** All values set for an option of a chat, by precedence. Only this function knows the order. */
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

/** The value of an option that applies to a chat. */
export function resolveOption<V>(
  option: Pick<ChatOption, 'precedence' | 'byField'> & { default: NoInfer<V> },
  set: SetValues<V>,
): V {
  const values = orderValues(option, set).map(({ value }) => value)
  if (!option.byField) return values[0] ?? option.default
  return Object.assign({}, option.default, ...values.toReversed()) as V
}
