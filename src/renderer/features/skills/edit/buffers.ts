/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md'

/** The text in the editor, on disk (null if the file does not exist), and at the start of the edit. */
export type Buffer = { text: string; saved: string | null; begun: string }

/** The open files of a skill, by path. */
export type Buffers = Readonly<Record<string, Buffer>>

/** Whether a buffer has unsaved changes. */
export const isUnsaved = ({ text, saved, begun }: Buffer): boolean => text !== (saved ?? begun)

/** Paths of the files with unsaved changes. */
export const unsavedIn = (buffers: Buffers): string[] =>
  Object.keys(buffers).filter(path => isUnsaved(buffers[path]!))
