/**
 * Temporary chats: nothing of them is remembered, and they are deleted when they end. The row of a chat says
 * whether it is temporary now (`Session.temporary`). Its id says that it started as one, for parts that know
 * only the id and write to the disk: the engine, and the drafts of a window.
 */
export const TEMPORARY_PREFIX = 'temp'

/** Also matches ids derived from such an id, such as the id of a chat's summary, or of its draft. */
const TEMPORARY_ID = /(?:^|[^0-9a-z])temp_[0-9a-z]{17}(?![0-9a-z])/

/** Whether an id belongs to a chat that started as temporary, or is derived from such an id. */
export const isTemporaryId = (id: string): boolean => TEMPORARY_ID.test(id)

/** Rewrite an id for an engine: chats that were kept since no longer count as temporary. */
export const keptName = (id: string, isKept: (sessionId: string) => boolean): string =>
  id.replaceAll(/(?<![0-9a-z])temp_([0-9a-z]{17})(?![0-9a-z])/g, (each, rest: string) =>
    isKept(each) ? `kept_${rest}` : each,
  )

/** How long a temporary chat stays without a new message, in ms. */
export const TEMPORARY_IDLE_MS = 24 * 60 * 60_000

/** The explanation of a temporary chat, in one line, for the window and the terminal. */
export const TEMPORARY_LINE = 'Temporary: nothing is remembered, and the chat is gone when you end it.'
