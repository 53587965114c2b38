import { app, session } from 'electron'
import type { AppUpdater } from 'electron-updater'
import type { RequestGate, Updater, UpdateTrouble } from '../../updates/updater.ts'
import { unlock, type OfflineError } from '../../lib/network/offline.ts'
import { guardRequests, readSource, troubleOf } from './update-source.ts'

/** The session that electron-updater makes its requests in (`NET_SESSION_NAME` in its `electronHttpExecutor.js`). */
const partition = 'electron-updater'

/** The updater, and what the end of the application must do for it. */
export type DesktopUpdater = Updater & {
  /**
   * Install the downloaded version and start it, if `install` was called. Call it when the host is closed. False when
   * there is nothing to install, so that the caller ends the process itself.
   */
  finish(): boolean
}

/**
 * Updates of the packaged application, through electron-updater; undefined for a build without a source of them. The
 * library is loaded at the first check. `report` is for its bugs.
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
    // Nothing happens unless the user says so.
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

  /** Run a step of the library. What a person can understand becomes trouble in words. */
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
      // Nothing else ends the process when the installation fails.
      active.on('error', error => {
        report(error)
        app.exit(1)
      })
      // The new version starts at once, and must find the lock free.
      app.releaseSingleInstanceLock()
      active.quitAndInstall(false, true)
      return true
    },
  }
}
