/**
 * Temporary chats: nothing of them is remembered, and they are gone when they end. Whether a chat is one now stands in its row
 * (`Session.temporary`). Its id says that it began as one, for parts that know no more of a chat than its id and write to the disk:
 * the engine, and what a window keeps of typed texts.
 */
export const TEMPORARY_PREFIX = 'temp'

/** Also in ids made of one, such as that of the summary of a chat, or the place of a text that is typed in it. */
const TEMPORARY_ID = /(?:^|[^0-9a-z])temp_[0-9a-z]{17}(?![0-9a-z])/

/** Whether an id is that of a chat that began as a temporary one, or was made of such an id. */
export const isTemporaryId = (id: string): boolean => TEMPORARY_ID.test(id)

/** An id for an engine: in it, chats that were kept since are no longer named as temporary ones. */
export const keptName = (id: string, isKept: (sessionId: string) => boolean): string =>
  id.replaceAll(/(?<![0-9a-z])temp_([0-9a-z]{17})(?![0-9a-z])/g, (each, rest: string) =>
    isKept(each) ? `kept_${rest}` : each,
  )

/** How long a temporary chat stays without a new message, in ms. */
export const TEMPORARY_IDLE_MS = 24 * 60 * 60_000

/** What a temporary chat is, in one line, as the window and the terminal say it. */
export const TEMPORARY_LINE = 'Temporary: nothing is remembered, and the chat is gone when you end it.'
