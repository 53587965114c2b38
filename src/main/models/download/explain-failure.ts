import { formatBytes, byCount } from '../../../shared/text/amounts.ts'
import { OfflineError, unlockFix } from '../../lib/network/offline.ts'
import { causesOf, reasonOf } from '../../lib/expected-errors.ts'
import { ProxyError } from '../../lib/network/proxy-address.ts'
import type { DownloadProblem } from './download-entry.ts'

/**
 * The meaning of a response or an error. `waitMs` is set if the server says how long to wait. `again` says
 * whether waiting may help.
 */
export type RetryVerdict = DownloadProblem & { again: boolean; waitMs?: number }

const final = (text: string, fix: string): RetryVerdict => ({ text, fix, again: false })
const passing = (text: string, fix: string): RetryVerdict => ({ text, fix, again: true })

/** The facts about a download that was refused. */
export type RefusedWhile = {
  /** Bytes of the file have already arrived, so the address was right. */
  hasCome: boolean
  /** The refusal came after a redirect, whose address is new each time. */
  isElsewhere: boolean
  /** The address itself contains a signature, which expires. */
  isSigned: boolean
  /** What the user can do if an account or a licence is required. */
  access?: string | undefined
}

const AT_FIRST: RefusedWhile = { hasCome: false, isElsewhere: false, isSigned: false }
const LOG_IN =
  'Open any page in your browser and log in to the network, then resume. The part already downloaded is kept.'
const KEPT = 'Resume later. The part already downloaded is kept.'

/** Explain a server's refusal. */
export function explainStatus(
  status: number,
  host: string,
  headers: Headers,
  now: number,
  { hasCome, isElsewhere, isSigned, access }: RefusedWhile = AT_FIRST,
): RetryVerdict {
  if (status === 404 || status === 410)
    return final(
      hasCome ? `${host} no longer has a file at this address.` : `${host} has no file at this address.`,
      hasCome
        ? 'Start it again with another address of the same file. The part already downloaded is kept.'
        : 'Check the address, or choose another file.',
    )
  if (status === 401 || status === 403) {
    const text = `${host} requires permission for this file (error ${status}).`
    if (isElsewhere)
      return passing(
        `${host} no longer accepts the download address (error ${status}).`,
        'Resume later. Talaria then requests a new address, and the part already downloaded is kept.',
      )
    if (hasCome)
      return passing(
        `${host} does not send the rest of this file (error ${status}).`,
        isSigned
          ? 'The address has expired. Copy a new address of the same file and start it. The download continues where it stopped.'
          : (access ??
              'The address may have expired, or the network requires a login. Resume later. The part already downloaded is kept.'),
      )
    return final(
      text,
      isSigned
        ? 'The address may have expired. Copy a new address of the same file.'
        : (access ??
            'Some models require an account or an accepted licence. Download the file in your browser, then drop it on this window.'),
    )
  }
  if (status === 511) return passing(`The network asks for a login first (error 511).`, LOG_IN)
  const waitMs = retryAfter(headers, now)
  const wait = waitMs === undefined ? {} : { waitMs }
  if (status === 429) {
    const until = waitMs === undefined ? '' : ` and asks to wait ${formatDuration(waitMs)}`
    return { ...passing(`${host} gets too many requests${until}.`, 'Wait a little, then resume.'), ...wait }
  }
  if (status === 408 || status === 425 || status >= 500)
    return { ...passing(`${host} has an internal problem (error ${status}).`, KEPT), ...wait }
  const text = `${host} did not send the file (error ${status}).`
  return hasCome ? passing(text, KEPT) : final(text, 'Check the address.')
}

/** Explain content that is not a model file. `mayPass`: the file is known to exist, so a retry may help. */
export function explainContent(host: string, isPage: boolean, mayPass: boolean): RetryVerdict {
  const text = isPage
    ? `${host} sent a web page, not a model file.`
    : `What ${host} sent is not a GGUF model file.`
  if (mayPass) return passing(text, `The network may ask for a login. ${LOG_IN}`)
  return final(
    text,
    isPage ? 'Copy the address of the download itself.' : 'Choose a file that ends in .gguf.',
  )
}

/** Explain a file that does not end where the server says. */
export const explainLength = (host: string, how: 'early' | 'short' | 'endless'): RetryVerdict =>
  how === 'endless'
    ? final(`${host} sends far more data than the file contains.`, 'Fetch the file from another address.')
    : passing(
        how === 'early'
          ? `${host} ended the connection too early.`
          : `${host} says that the file ends before the whole model has arrived.`,
        'Check the connection, then resume. The part already downloaded is kept.',
      )

/** Explain a redirect that is not followed. After bytes have arrived, it may lead to a login page. */
export const explainRedirection = (text: string, hasCome: boolean): RetryVerdict =>
  hasCome ? passing(text, `The network may ask for a login. ${LOG_IN}`) : final(text, 'Check the address.')

/** Return how long a server asks to wait, in ms. The header has seconds or a date. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  // Accept only HTTP dates: `Date.parse` also accepts many other strings.
  const date = /^[A-Z][a-z]{2}, .+ GMT$/.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const UNPACKED = /^(Z_|ERR_(BUFFER_TOO_LARGE|BROTLI|ZSTD)|ERR__ERROR)/
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/

/** Explain a network error. After bytes have arrived, a wrong certificate may be that of a login page. */
export function explainNetwork(error: unknown, host: string, hasCome = false): RetryVerdict {
  if (error instanceof OfflineError) return final(error.message, unlockFix)
  const proxy = causesOf(error).find(each => each instanceof ProxyError)
  if (proxy) return passing(proxy.message, proxy.fix)
  const code = codeOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return passing(`${host} was not found.`, 'Check the address, and whether this computer is online.')
  if (code === 'ECONNREFUSED')
    return passing(`${host} refuses connections.`, 'Check the address, or resume later.')
  if (/TIMEDOUT|TIMEOUT/.test(code))
    return passing(`${host} does not answer.`, 'Check the connection, then resume.')
  if (UNPACKED.test(code)) return passing(`${host} sends the file packed in a way that cannot be read.`, KEPT)
  if (CERTIFICATE.test(code) && hasCome)
    return passing(`The identity of ${host} could not be confirmed (${code}).`, LOG_IN)
  if (CERTIFICATE.test(code))
    return final(
      `The identity of ${host} could not be confirmed (${code}).`,
      'Check the address and the clock of this computer. A company’s proxy may stand between: add its certificate to those of the system, or name its file in NODE_EXTRA_CA_CERTS, and start Talaria again.',
    )
  return passing(
    `The connection to ${host} broke.`,
    'Check the connection, then resume. The part already downloaded is kept.',
  )
}

function codeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('code' in each && typeof each.code === 'string') return each.code
  return ''
}

/** Whether an error came from the disk and not from the network. */
export const isDiskError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && !(error instanceof TypeError) && 'code' in error && 'errno' in error

/** Explain a disk error. */
export function explainDisk({ code }: NodeJS.ErrnoException, name: string): DownloadProblem {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return {
      text: `The disk became full while ${name} was being saved.`,
      fix: 'Free some space, then resume. The part already downloaded is kept.',
    }
  if (code === 'EFBIG')
    return {
      text: `${name} is larger than a file may be on this disk.`,
      fix: 'Keep the home folder on a disk with another file system, or choose a smaller file.',
    }
  return { text: `${name} could not be written: ${reasonOf(code)}.`, fix: 'Check the disk, then resume.' }
}

/** Explain a lack of disk space, before the first byte is written. */
export const notEnoughDisk = (name: string, neededBytes: number, freeBytes: number): DownloadProblem => ({
  text: `${name} needs ${formatBytes(neededBytes)} of disk space, with a margin, but only ${formatBytes(Math.max(0, freeBytes))} are free.`,
  fix: 'Free some space, then resume, or choose a smaller file.',
})

/** Format a waiting time for the user. @internal Tested by itself. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  if (seconds < 90) return byCount(seconds, 'a second', `${seconds} seconds`)
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 49 ? `${hours} hours` : `${Math.round(hours / 24).toLocaleString('en')} days`
}
