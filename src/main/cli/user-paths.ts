import { homedir } from 'node:os'
import { resolve } from 'node:path'

/** The user's current folder. `npm run` changes it and keeps the original in INIT_CWD. */
export const currentFolder = () => process.env['INIT_CWD'] ?? process.cwd()

/** The absolute path of a file given on the command line. */
export const absolutePath = (given: string) =>
  resolve(currentFolder(), given.replace(/^~(?=$|[/\\])/, homedir()))
