import type { UpdateTrouble } from '../../app/host-types.ts'

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
export function inWords(error: unknown, host: string): UpdateTrouble | undefined {
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
