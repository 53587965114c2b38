import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { _electron, type ElectronApplication, type Page } from '@playwright/test'
import { desktopObstacle, electronSwitches, findElectron } from '../scripts/electron.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import type { Folders, Running } from './app.ts'

/** Why the specs cannot run in Electron here, as text; undefined when they can. */
export function whyNoDesktop(): string | undefined {
  const electron = findElectron()
  if (!electron) return 'the Electron binary is not installed (npx install-electron fetches it)'
  return desktopObstacle(electron, electronSwitches)
}

/** Start the built desktop application on a home folder and wait for its window. */
export async function startDesktop(
  { home, workspace }: Folders,
  env: Record<string, string> = {},
): Promise<Running> {
  const electron: ElectronApplication = await _electron.launch({
    executablePath: findElectron()!,
    args: [rootFolder(), '--home', home, '--workspace', workspace, ...electronSwitches],
    env: { ...(process.env as Record<string, string>), ...env },
  })
  const page: Page = await electron.firstWindow()
  return { page, close: () => electron.close(), kill: () => kill(electron.process()) }
}

async function kill(main: ChildProcess): Promise<void> {
  const ended = once(main, 'exit')
  main.kill('SIGKILL')
  await ended
}
