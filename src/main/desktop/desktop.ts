import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, nativeTheme, safeStorage, utilityProcess } from 'electron'
import { contract, type HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { resolveHome } from '../config/home.ts'
import type { Host, HostOptions, Vault, SpawnEngine } from '../app/host-types.ts'
import { rootFolder } from '../lib/shipped-files.ts'
import { withinTime } from '../lib/timing.ts'
import { readStartOptions } from '../app/start-options.ts'
import { serveAppScheme, lockDown, answerPortRequests } from './page.ts'
import { setMenu } from './menu.ts'
import { focusWindow, openWindow } from './window.ts'

const closingMs = 3_000

/**
 * Run the desktop application: one instance per home folder, one host, one window. Everything that must precede `ready` runs
 * before the first await. Settles when the window is open. Errors are shown to the user and end the process.
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

/** Store Chromium's files in the home folder too, which makes the single-instance lock per home folder. */
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
  // A second request to quit waits for the close that the first one started.
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

/**
 * Let the window's frame, menus and `prefers-color-scheme` follow the theme in the settings until `signal` aborts.
 * The promise settles once the first theme is known, so that a window opened after it has the right background.
 */
async function followTheme(
  watch: HostHandlers['app.watch'],
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  const known = Promise.withResolvers<void>()
  async function follow() {
    for await (const event of watch({}, signal)) {
      if (event.type !== 'hello' && event.type !== 'settings') continue
      nativeTheme.themeSource = event.settings.theme
      known.resolve()
    }
  }
  void follow()
    .catch((error: unknown) => {
      if (!signal.aborted) report(error)
    })
    .finally(known.resolve)
  await known.promise
}

async function close(host: Host): Promise<void> {
  try {
    await withinTime(closingMs, host.close())
  } catch (error) {
    host.report(error)
  }
}

function explain(error: unknown): void {
  if (!(error instanceof Fault)) console.error(error)
  const text = error instanceof Fault ? error.message : `Something unexpected happened: ${String(error)}`
  dialog.showErrorBox('Talaria cannot start', text)
}

/**
 * The system’s own encryption, where it exists: Keychain, DPAPI, or a desktop wallet. On Linux without a wallet
 * Electron encrypts with a fixed key, so there is no vault then. Call it after `ready`.
 */
export async function openVault(): Promise<Vault | undefined> {
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

/** Start the engine in a utility process. One libuv thread keeps its decodes on one core, which is faster on every machine measured. */
export const spawnEngine: SpawnEngine = (script, env) => {
  const child = utilityProcess.fork(script, [], {
    env: { ...env, UV_THREADPOOL_SIZE: '1' },
    serviceName: 'Talaria engine',
    stdio: 'inherit',
  })
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a process has no origin
    post: message => child.postMessage(message),
    onMessage: listener => child.on('message', listener),
    onExit: listener => child.once('exit', code => listener(String(code))),
    kill: () => child.kill(),
  }
}
