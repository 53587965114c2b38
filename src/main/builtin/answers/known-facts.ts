/** What is known where something is said without a model. */
export type Known = {
  now: Date
  /** The person's time zone, such as Europe/Vienna. */
  zone: string
  /** Absolute path of the chat's folder. */
  folder: string
  /** The entries of the notebook that this chat may read: about the person first, then notes of the folder, then all others. */
  entries: readonly string[]
  /** What the person wrote in this chat before, oldest first. */
  said: readonly string[]
  /** The names of the tools that are on now; empty in a chat without tools. */
  tools: readonly string[]
}
