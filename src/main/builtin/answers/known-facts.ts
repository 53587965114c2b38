/** The facts that answers without a model are based on. */
export type Known = {
  now: Date
  /** The user's time zone, such as Europe/Vienna. */
  zone: string
  /** Absolute path of the chat's folder. */
  folder: string
  /** The notebook entries for this chat: about the user first, then the folder's notes, then others. */
  entries: readonly string[]
  /** The user's earlier messages in this chat, oldest first. */
  said: readonly string[]
  /** The names of the tools that are on now; empty in a chat without tools. */
  tools: readonly string[]
}
