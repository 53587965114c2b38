import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Launch, Places } from './connector.ts'
import { findProgram } from './run-program.ts'

/** The variable in which a program names the file with its key. The key itself would be copied wherever its settings go. */
export const KEY_FILE = 'TALARIA_AGENT_KEY_FILE'

/** How this process was started. */
export type Started = {
  execPath: string
  /** Whether it is Electron, which the packaged app does not let run scripts. */
  isElectron: boolean
  isPackaged: boolean
  /** The path of the AppImage that it came out of. */
  appImage: string | undefined
  /** The folder of the project, or of the application. */
  root: string
}

/** How this process was started, from what Node and Electron say. */
export const startedHow = (root: string): Started => {
  const isElectron = process.versions['electron'] !== undefined
  return {
    execPath: process.execPath,
    isElectron,
    // Electron sets `defaultApp` when it was given a folder to run.
    isPackaged: isElectron && (process as { defaultApp?: boolean }).defaultApp !== true,
    appImage: process.env['APPIMAGE'],
    root,
  }
}

/**
 * What starts the terminal, before the words of its command. The packaged app starts itself: inside an AppImage its program lies in a
 * folder that is gone when it ends, and elsewhere on Linux a launcher stands before the program.
 */
export function terminalLaunch(
  { execPath, isElectron, isPackaged, appImage, root }: Started,
  node: string,
): Omit<Launch, 'env'> {
  if (isPackaged) {
    const launcher = execPath.replace(/-app$/, '')
    return { command: appImage ?? (existsSync(launcher) ? launcher : execPath), args: [] }
  }
  return { command: isElectron ? node : execPath, args: [join(root, 'scripts/talaria.mjs')] }
}

/** A Node that runs scripts of ours: this process itself, the one of the checkout, or one of the user’s; else its bare name. */
export function findNode({ execPath, isElectron, isPackaged, root }: Started, places: Places): string {
  if (!isElectron) return execPath
  const own = join(root, 'node_modules/node/bin/node')
  return (!isPackaged && existsSync(own) ? own : findProgram(places, 'node')) ?? 'node'
}

/** What this Talaria is called in other programs: by its home, unless it is the usual one. */
export const labelOf = ({ user, home }: Places): string =>
  home === join(user, '.talaria')
    ? 'talaria'
    : `talaria-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`
