import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, session, type Session } from 'electron'
import type { AppUpdater } from 'electron-updater'
import { parse } from 'yaml'
import { z } from 'zod'
import type { RequestGate, Updater, UpdateTrouble } from '../../app/host-types.ts'
import { isThisComputer, unlock, OfflineError } from '../../lib/offline.ts'
import { undefinedIfMissing } from '../../lib/expected-errors.ts'

/** The session that electron-updater makes its requests in (`NET_SESSION_NAME` in its `electronHttpExecutor.js`). */
const partition = 'electron-updater'

const Source = z.object({ provider: z.literal('generic'), url: z.url() })

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
      const known = inWords(error, host)
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

/** What electron-builder wrote into the package about updates; undefined without an address that may be used. */
function readSource(): { file: string; host: string } | undefined {
  const { resourcesPath } = process as { resourcesPath?: string }
  if (!app.isPackaged || resourcesPath === undefined) return undefined
  const file = join(resourcesPath, 'app-update.yml')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return undefinedIfMissing(error)
  }
  const url = URL.parse(Source.safeParse(parse(text)).data?.url ?? '')
  // An update replaces the program, so it must not be changed on the way.
  return url && (url.protocol === 'https:' || isThisComputer(url.hostname))
    ? { file, host: url.host }
    : undefined
}

/**
 * Let every request of a session pass the gate: it is in the ledger before it leaves, and the offline lock ends it. The
 * random number that electron-updater sends to identify copies is removed. `onBlocked` hears what the lock ended.
 */
function guardRequests(
  { webRequest }: Pick<Session, 'webRequest'>,
  gate: RequestGate,
  onBlocked: (error: OfflineError) => void,
): void {
  const running = new Map<number, ReturnType<RequestGate>>()
  const end = (id: number, ok: boolean) => {
    running.get(id)?.end(ok)
    running.delete(id)
  }
  // The listener is called again, with the same id, for the address that a redirect leads to.
  webRequest.onBeforeRequest(({ id, url }, answer) => {
    end(id, true)
    try {
      running.set(id, gate(new URL(url).host))
      answer({})
    } catch (error) {
      // Answered first: a request without an answer waits for ever.
      answer({ cancel: true })
      if (!(error instanceof OfflineError)) throw error
      onBlocked(error)
    }
  })
  webRequest.onBeforeSendHeaders(({ requestHeaders }, answer) => {
    const kept = Object.entries(requestHeaders).filter(([name]) => name.toLowerCase() !== 'x-user-staging-id')
    answer({ requestHeaders: Object.fromEntries(kept) })
  })
  webRequest.onCompleted(({ id }) => end(id, true))
  webRequest.onErrorOccurred(({ id }) => end(id, false))
}

/** Errors of Chromium’s network, as electron-updater passes them on: `net::` and a name. */
const network: Readonly<Record<string, string>> = {
  ERR_INTERNET_DISCONNECTED: 'there is no network',
  ERR_NAME_NOT_RESOLVED: 'its name is unknown',
  ERR_CONNECTION_REFUSED: 'it refused the connection',
  ERR_CONNECTION_RESET: 'the connection broke off',
  ERR_CONNECTION_TIMED_OUT: 'it did not answer in time',
  ERR_TIMED_OUT: 'it did not answer in time',
}

/** Errors of electron-updater, by their code. */
const codes: Readonly<Record<string, UpdateTrouble>> = {
  ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: {
    refused: 'The source of updates has no list of versions for this system.',
  },
  ERR_UPDATER_INVALID_UPDATE_INFO: { refused: 'The list of versions cannot be read.' },
  ERR_UPDATER_INVALID_VERSION: { refused: 'The list of versions cannot be read.' },
  ERR_UPDATER_NO_FILES_PROVIDED: { refused: 'The newer version has no package for this system.' },
  ERR_CHECKSUM_MISMATCH: { refused: 'What was downloaded is not what was announced, so it was thrown away.' },
  ERR_UPDATER_INVALID_SIGNATURE: {
    refused: 'The signature of the newer version is wrong, so it was thrown away.',
  },
  ENOSPC: { refused: 'The disk is full.', fix: 'Make room on it, then try again.' },
  EACCES: { refused: 'Talaria may not write to the place where updates are kept.' },
}

/** What an error of electron-updater means for the user; undefined for an unexpected one. */
function inWords(error: unknown, host: string): UpdateTrouble | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  const known = codes[code ?? '']
  if (known) return known
  if (statusCode !== undefined) return { refused: `${host} answered with the error ${statusCode}.` }
  const name = /\bnet::(ERR_\w+)/.exec(error.message)?.[1]
  return name === undefined
    ? undefined
    : {
        refused: `${host} could not be reached: ${network[name] ?? name}.`,
        fix: 'Check the network, then try again.',
      }
}
