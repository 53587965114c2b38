import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Launch, Places } from './connector.ts'
import { findProgram } from './run-program.ts'

/** The variable that names the key file. The key itself would be copied along with the settings. */
export const KEY_FILE = 'TALARIA_AGENT_KEY_FILE'

/** How this process was started. */
export type Started = {
  execPath: string
  /** Whether it is Electron; the packaged app does not let it run scripts. */
  isElectron: boolean
  isPackaged: boolean
  /** The path of the AppImage that it runs from. */
  appImage: string | undefined
  /** The folder of the checkout, or of the application. */
  root: string
}

/** Return how this process was started, according to Node and Electron. */
export const startedHow = (root: string): Started => {
  const isElectron = process.versions['electron'] !== undefined
  return {
    execPath: process.execPath,
    isElectron,
    // Electron sets `defaultApp` if it was given a folder to run.
    isPackaged: isElectron && (process as { defaultApp?: boolean }).defaultApp !== true,
    appImage: process.env['APPIMAGE'],
    root,
  }
}

/**
 * Return the start of a terminal command. The packaged app starts itself: inside an AppImage, its program is
 * in a folder that is gone when it ends; elsewhere on Linux a launcher precedes the program.
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

/** Return a Node for our scripts: this process, the checkout's, or the user’s; else the bare name. */
export function findNode({ execPath, isElectron, isPackaged, root }: Started, places: Places): string {
  if (!isElectron) return execPath
  const own = join(root, 'node_modules/node/bin/node')
  return (!isPackaged && existsSync(own) ? own : findProgram(places, 'node')) ?? 'node'
}

/** Return this Talaria's name in other programs, which depends on its home unless that is the usual one. */
export const labelOf = ({ user, home }: Places): string =>
  home === join(user, '.talaria')
    ? 'talaria'
    : `talaria-${createHash('sha256').update(home).digest('hex').slice(0, 8)}`
