import { realpathSync } from 'node:fs'

/** The real path of a folder, or the path itself when there is none. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return folder
  }
}
