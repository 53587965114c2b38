import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, powerMonitor, safeStorage } from 'electron'
import { Fault } from '../../shared/rpc.ts'
import { crashedAt, crashText, planRestart, restartNotice } from '../app/after-crash.ts'
import type { Host, HostOptions } from '../app/host-types.ts'
import type { OpenVault } from '../config/vault.ts'
import { readStartOptions } from '../app/start-options.ts'
import { resolveHome } from '../config/home.ts'
import { nameTimeZone } from '../lib/time-zone.ts'
import { endOnUncaughtErrors, type ErrorSource } from '../lib/processes/uncaught-errors.ts'
import { spawnEngine } from './engine/spawn-engine.ts'
import { lockDown } from './page/lock-down.ts'
import { createShell } from './shell.ts'
import { isLink, linkScheme, readStart, takeRequests } from './window/window-requests.ts'
import { createKeepAwake } from './system/keep-awake.ts'
import { startsHidden } from './system/login-item.ts'
import { openUpdater, type DesktopUpdater } from './updates/electron-updater.ts'
import { isOnMains as isOnMainsByLinux } from '../lib/processes/display-and-power.ts'

/** The app id of electron-builder.config.mjs, by which Windows groups windows and notifications. */
const appId = 'app.talaria.desktop'

/**
 * Run the desktop application: one instance per home folder, one host, one window. Everything that must
 * precede `ready` runs before the first await. Settles once the window is open. Launch errors are shown to
 * the user and end the process. After an uncaught error, which `errors` reports, the app restarts itself
 * once.
 */
export async function runDesktop(
  createHost: (options: HostOptions) => Promise<Host>,
  args: string[],
  errors: ErrorSource,
): Promise<void> {
  let host: Host | undefined
  let updater: DesktopUpdater | undefined
  const report = (error: unknown) => (host ? host.report(error) : console.error(error))
  const shell = createShell(report)
  try {
    nameTimeZone()
    // The author of a link may have put options there.
    const isByLink = args.some(isLink)
    const { home: wish } = readStartOptions(isByLink ? [] : args, process.env, 'lenient')
    const home = resolveHome(wish)
    endOnUncaughtErrors(
      {
        report,
        finish: async () => host?.close(),
        tell: error => restartOnce(error, { args, home }),
        exit: code => app.exit(code),
      },
      errors,
    )
    app.setName('Talaria')
    if (process.platform === 'win32') {
      app.setAppUserModelId(appId)
      // On other systems the package declares which links the app opens.
      if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme)
    }
    keepProfileIn(home)
    lockDown(report)
    if (!app.requestSingleInstanceLock()) {
      app.quit()
      return
    }
    const requests = takeRequests()
    const own = readStart(args, process.env['INIT_CWD'] ?? '')
    await app.whenReady()
    host = await createHost({
      hosting: 'desktop',
      home,
      spawnEngine,
      openVault,
      openUpdater: gate => (updater = openUpdater(gate, report)),
      isOnMains,
      keepAwake: createKeepAwake(isOnMains),
      desktop: shell.handlers,
      notices: crashedAt(args) === undefined ? [] : [restartNotice(home)],
      ...(own?.type === 'folder' && { workspace: own.folder }),
    })
    powerMonitor.on('resume', host.lookAtClock)
    await shell.present(host, {
      requests,
      first: own?.type === 'folder' ? undefined : own,
      isHidden: args.includes(startsHidden),
      options: wish === undefined ? [] : ['--home', home],
      installUpdate: () => updater?.finish() === true,
    })
  } catch (error) {
    explain(error)
    if (host) await shell.close(host)
    app.exit(1)
  }
}

/** Restart the app after this process has ended. If an error recurs immediately, show it instead. */
function restartOnce(error: unknown, { args, home }: { args: string[]; home: string }): void {
  const restart = planRestart(args, process.env, Date.now())
  if (restart) app.relaunch(restart)
  else dialog.showErrorBox('Talaria has to close', crashText(error, home))
}

/** Store Chromium's files in the home folder too, which makes the single-instance lock per home folder. */
function keepProfileIn(home: string): void {
  const profile = join(home, 'window')
  mkdirSync(profile, { recursive: true, mode: 0o700 })
  app.setPath('userData', profile)
}

function explain(error: unknown): void {
  if (!(error instanceof Fault)) console.error(error)
  const text = error instanceof Fault ? error.message : `Something unexpected happened: ${String(error)}`
  dialog.showErrorBox('Talaria cannot start', text)
}

/** Return whether mains power is on, once `ready`. Linux's /sys knows batteries that Chromium misses. */
const isOnMains = (): boolean | undefined =>
  process.platform === 'linux' ? isOnMainsByLinux() : !powerMonitor.isOnBatteryPower()

/**
 * Open the system’s own encryption, if there is one: Keychain, DPAPI, or a desktop wallet. On Linux without a
 * wallet Electron encrypts with a fixed key, so there is no vault then. Call this after `ready`.
 */
const openVault: OpenVault = async () => {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return undefined
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text')
    return undefined
  return {
    seal: text => safeStorage.encryptStringAsync(text),
    async open(sealed) {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed)
      return { text: result, renew: shouldReEncrypt }
    },
  }
}
