import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { contract } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { resolveHome } from '../config/home.ts'
import type { Host, HostOptions } from '../host-types.ts'
import { rootFolder } from '../lib/places.ts'
import { within } from '../lib/within.ts'
import { readStartOptions } from '../start-options.ts'
import { serveAppScheme } from './app-scheme.ts'
import { lockDown } from './lockdown.ts'
import { setMenu } from './menu.ts'
import { answerPortRequests } from './port.ts'
import { spawnEngine } from './spawn-engine.ts'
import { followTheme } from './theme.ts'
import { openVault } from './vault.ts'
import { focusWindow, openWindow } from './window.ts'

const closingMs = 3_000

/**
 * Run the desktop application: one instance for each home folder, one host, one window. What must precede `ready` is done
 * before the first await. Settles when the window is open; trouble is shown to the person and ends the process.
 */
export async function runDesktop(
  createHost: (options: HostOptions) => Promise<Host>,
  args: string[] = process.argv.slice(1),
): Promise<void> {
  let host: Host | undefined
  try {
    const { home: wish, workspace } = readStartOptions(args, process.env, 'lenient')
    const home = resolveHome(wish)
    app.setName('Talaria')
    keepProfileIn(home)
    lockDown()
    if (!app.requestSingleInstanceLock()) {
      app.quit()
      return
    }
    await app.whenReady()
    host = await createHost({
      hosting: 'desktop',
      home,
      spawnEngine,
      vault: await openVault(),
      ...(workspace && { workspace }),
    })
    await present(host)
  } catch (error) {
    explain(error)
    if (host) await close(host)
    app.exit(1)
  }
}

/** Chromium's own files go into the home folder too, and the single-instance lock goes with them. */
function keepProfileIn(home: string): void {
  const profile = join(home, 'window')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)
}

async function present(host: Host): Promise<void> {
  const ending = new AbortController()
  const report = (error: unknown) => host.report(error)
  const open = () =>
    openWindow({ home: host.home, preload: join(rootFolder(), 'out/preload/index.cjs'), report })
  const show = () => {
    if (!focusWindow()) open().catch(report)
  }
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  // A second request to quit finds the host closing already, and must wait for it like the first.
  app.on('will-quit', event => {
    event.preventDefault()
    if (ending.signal.aborted) return
    ending.abort()
    void close(host).then(() => app.exit(0))
  })
  setMenu()
  serveAppScheme(join(rootFolder(), 'out/renderer'))
  answerPortRequests(contract, host.handlers, report)
  await followTheme(host.handlers['app.watch'], ending.signal, report)
  await open()
  app.on('second-instance', show)
  app.on('activate', show)
}

async function close(host: Host): Promise<void> {
  try {
    await within(closingMs, host.close())
  } catch (error) {
    host.report(error)
  }
}

function explain(error: unknown): void {
  if (!(error instanceof Fault)) console.error(error)
  const text = error instanceof Fault ? error.message : `Something unexpected happened: ${String(error)}`
  dialog.showErrorBox('Talaria cannot start', text)
}
