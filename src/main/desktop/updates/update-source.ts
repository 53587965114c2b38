import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, type Session } from 'electron'
import { parse } from 'yaml'
import { z } from 'zod'
import type { RequestGate, UpdateTrouble } from '../../updates/updater.ts'
import { undefinedIfMissing } from '../../lib/expected-errors.ts'
import { isThisComputer, OfflineError } from '../../lib/network/offline.ts'

const Source = z.object({ provider: z.literal('generic'), url: z.url() })

/** Return the update source that electron-builder packaged; undefined without an allowed address. */
export function readSource(): { file: string; host: string } | undefined {
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
  // An update replaces the program, so it must not be modified in transit.
  return url && (url.protocol === 'https:' || isThisComputer(url.hostname))
    ? { file, host: url.host }
    : undefined
}

/**
 * Pass every request of a session through the gate: it is recorded in the ledger first, and blocked by the
 * offline lock. The random number with which electron-updater identifies copies is removed. `onBlocked` is
 * called for blocked requests.
 */
export function guardRequests(
  { webRequest }: Pick<Session, 'webRequest'>,
  gate: RequestGate,
  onBlocked: (error: OfflineError) => void,
): void {
  const running = new Map<number, ReturnType<RequestGate>>()
  const end = (id: number, ok: boolean) => {
    running.get(id)?.end(ok)
    running.delete(id)
  }
  // After a redirect, the listener is called again with the same id and the new address.
  webRequest.onBeforeRequest(({ id, url }, answer) => {
    end(id, true)
    try {
      running.set(id, gate(new URL(url).host))
      answer({})
    } catch (error) {
      // Answer first: a request without an answer waits forever.
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

/** Chromium’s network errors, as electron-updater passes them on: `net::` and a name. */
const network: Readonly<Record<string, string>> = {
  ERR_INTERNET_DISCONNECTED: 'there is no network',
  ERR_NAME_NOT_RESOLVED: 'its name is unknown',
  ERR_CONNECTION_REFUSED: 'it refused the connection',
  ERR_CONNECTION_RESET: 'the connection broke off',
  ERR_CONNECTION_TIMED_OUT: 'it did not answer in time',
  ERR_TIMED_OUT: 'it did not answer in time',
}

/** Errors of electron-updater, by code. */
const codes: Readonly<Record<string, UpdateTrouble>> = {
  ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: {
    refused: 'The source of updates has no list of versions for this system.',
  },
  ERR_UPDATER_INVALID_UPDATE_INFO: { refused: 'The list of versions cannot be read.' },
  ERR_UPDATER_INVALID_VERSION: { refused: 'The list of versions cannot be read.' },
  ERR_UPDATER_NO_FILES_PROVIDED: { refused: 'The newer version has no package for this system.' },
  ERR_CHECKSUM_MISMATCH: { refused: 'The download does not match the announced version, so it was deleted.' },
  ERR_UPDATER_INVALID_SIGNATURE: {
    refused: 'The signature of the newer version is wrong, so it was deleted.',
  },
  ENOSPC: { refused: 'The disk is full.', fix: 'Free some space, then try again.' },
  EACCES: { refused: 'Talaria cannot write to the folder for updates.' },
}

/** Explain an error of electron-updater for the user; undefined if it is unexpected. */
export function troubleOf(error: unknown, host: string): UpdateTrouble | undefined {
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
