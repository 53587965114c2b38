import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, type Session } from 'electron'
import { parse } from 'yaml'
import { z } from 'zod'
import type { RequestGate, UpdateTrouble } from '../../updates/updater.ts'
import { undefinedIfMissing } from '../../lib/expected-errors.ts'
import { isThisComputer, OfflineError } from '../../lib/network/offline.ts'

const Source = z.object({ provider: z.literal('generic'), url: z.url() })

/** What electron-builder wrote into the package about updates; undefined without an address that may be used. */
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
  // An update replaces the program, so it must not be changed on the way.
  return url && (url.protocol === 'https:' || isThisComputer(url.hostname))
    ? { file, host: url.host }
    : undefined
}

/**
 * Let every request of a session pass the gate: it is in the ledger before it leaves, and the offline lock ends it. The
 * random number that electron-updater sends to identify copies is removed. `onBlocked` hears what the lock ended.
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
  ERR_CHECKSUM_MISMATCH: { refused: 'The download does not match the announced version, so it was deleted.' },
  ERR_UPDATER_INVALID_SIGNATURE: {
    refused: 'The signature of the newer version is wrong, so it was deleted.',
  },
  ENOSPC: { refused: 'The disk is full.', fix: 'Free some space, then try again.' },
  EACCES: { refused: 'Talaria cannot write to the folder for updates.' },
}

/** What an error of electron-updater means for the user; undefined for an unexpected one. */
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
