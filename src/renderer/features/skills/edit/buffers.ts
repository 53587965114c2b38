/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md'

/** A text as it is written, as it is on the disk (null when it is not there), and as it was when it was begun. */
export type Buffer = { text: string; saved: string | null; begun: string }

/** The files of a skill that are being written, by path. */
export type Buffers = Readonly<Record<string, Buffer>>

/** Whether something would be lost if a text were thrown away. */
export const isUnsaved = ({ text, saved, begun }: Buffer): boolean => text !== (saved ?? begun)

/** The paths of the files that would lose something. */
export const unsavedIn = (buffers: Buffers): string[] =>
  Object.keys(buffers).filter(path => isUnsaved(buffers[path]!))
