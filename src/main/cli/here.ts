import { homedir } from 'node:os'
import { resolve } from 'node:path'

/** Where the person stands: `npm run` changes the folder, and leaves a note of it in INIT_CWD. */
export const here = () => process.env['INIT_CWD'] ?? process.cwd()

/** The absolute path of a file that a person named on the command line. */
export const pathOf = (given: string) => resolve(here(), given.replace(/^~(?=$|[/\\])/, homedir()))
