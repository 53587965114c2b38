import { app, session } from 'electron'
import type { AppUpdater } from 'electron-updater'
import type { RequestGate, Updater, UpdateTrouble } from '../../updates/updater.ts'
import { unlock, type OfflineError } from '../../lib/network/offline.ts'
import { guardRequests, readSource, troubleOf } from './update-source.ts'

/** The session for electron-updater's requests (`NET_SESSION_NAME` in its `electronHttpExecutor.js`). */
const partition = 'electron-updater'

/** The updater, and its last step when the application ends. */
export type DesktopUpdater = Updater & {
  /**
   * Install the downloaded version and start it, if `install` was called. Call this after the host has
   * closed. False if there is nothing to install; the caller then ends the process.
   */
  finish(): boolean
}

/**
 * Open the updater of the packaged application, based on electron-updater; undefined for a build without an
 * update source. The library is loaded at the first check. `report` receives its bugs.
 */
export function openUpdater(gate: RequestGate, report: (error: unknown) => void): DesktopUpdater | undefined {
  const source = readSource()
  if (!source) return undefined
  const { file, host } = source
  let loaded: Promise<AppUpdater> | undefined
  let active: AppUpdater | undefined
  let blocked: OfflineError | undefined
  let isWanted = false

  async function load(): Promise<AppUpdater> {
    guardRequests(session.fromPartition(partition, { cache: false }), gate, error => (blocked = error))
    const { autoUpdater } = (await import('electron-updater')).default
    // Nothing is downloaded or installed without the user's request.
    autoUpdater.updateConfigPath = file
    autoUpdater.autoDownload = false
    autoUpdater.autoInstallOnAppQuit = false
    autoUpdater.allowDowngrade = false
    autoUpdater.logger = null
    active = autoUpdater
    return autoUpdater
  }
  const updater = () =>
    (loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    }))

  /** Run a step of the library. Errors that users can understand become trouble with a text. */
  async function attempt<T>(step: (updater: AppUpdater) => Promise<T>): Promise<T | UpdateTrouble> {
    blocked = undefined
    try {
      return await step(await updater())
    } catch (error) {
      if (blocked) return { refused: (blocked as OfflineError).message, fix: unlock }
      const known = troubleOf(error, host)
      if (known === undefined) throw error
      return known
    }
  }

  return {
    source: host,
    check: () =>
      attempt(async updater => {
        const result = await updater.checkForUpdates()
        if (!result) return { refused: 'This copy was not installed from a package that can update itself.' }
        if (!result.isUpdateAvailable) return undefined
        const { version, files } = result.updateInfo
        return { version, sizeBytes: files[0]?.size ?? null }
      }),
    download: onShare =>
      attempt(async updater => {
        const tell = ({ percent }: { percent: number }) => onShare(percent / 100)
        updater.on('download-progress', tell)
        try {
          await updater.downloadUpdate()
        } finally {
          updater.off('download-progress', tell)
        }
        return undefined
      }),
    install() {
      isWanted = true
      app.quit()
    },
    finish() {
      if (!isWanted || !active) return false
      isWanted = false
      // If the installation fails, nothing else ends the process.
      active.on('error', error => {
        report(error)
        app.exit(1)
      })
      // The new version starts immediately, and must find the lock free.
      app.releaseSingleInstanceLock()
      active.quitAndInstall(false, true)
      return true
    },
  }
}
