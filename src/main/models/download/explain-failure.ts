import { formatBytes, byCount } from '../../../shared/amounts.ts'
import { OfflineError, unlockFix } from '../../lib/offline.ts'
import { causesOf, reasonOf } from '../../lib/expected-errors.ts'
import { ProxyError } from '../../lib/proxy-address.ts'
import type { DownloadProblem } from './download-entry.ts'

/**
 * What a response or an error means. `waitMs` is set when the server says how long to wait; `again` says whether
 * waiting may help.
 */
export type RetryVerdict = DownloadProblem & { again: boolean; waitMs?: number }

const final = (text: string, fix: string): RetryVerdict => ({ text, fix, again: false })
const passing = (text: string, fix: string): RetryVerdict => ({ text, fix, again: true })

/** Explain a server's refusal. */
export function explainStatus(status: number, host: string, headers: Headers, now: number): RetryVerdict {
  if (status === 404 || status === 410)
    return final(`${host} has no file at this address.`, 'Check the address, or choose another file.')
  if (status === 401 || status === 403)
    return final(
      `${host} does not give this file to everybody (error ${status}).`,
      'Some models ask for an account or for a licence to be accepted. Download the file in your browser, then drop it on this window.',
    )
  const waitMs = retryAfter(headers, now)
  const wait = waitMs === undefined ? {} : { waitMs }
  if (status === 429) {
    const until = waitMs === undefined ? '' : ` and asks to wait ${formatDuration(waitMs)}`
    return { ...passing(`${host} gets too many requests${until}.`, 'Wait a little, then resume.'), ...wait }
  }
  if (status === 408 || status === 425 || status >= 500) {
    const text = `${host} has a problem of its own (error ${status}).`
    return { ...passing(text, 'Resume later: what has come is kept.'), ...wait }
  }
  return final(`${host} did not send the file (error ${status}).`, 'Check the address.')
}

/** How long a server asks to wait, in ms. It sends seconds or a date. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  // Accept only HTTP dates; `Date.parse` also takes many other strings for dates.
  const date = /^[A-Z][a-z]{2}, .+ GMT$/.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/

/** Explain a network error. */
export function explainNetwork(error: unknown, host: string): RetryVerdict {
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
  if (CERTIFICATE.test(code))
    return final(
      `The identity of ${host} could not be confirmed (${code}).`,
      'Check the address and the clock of this computer. A company’s proxy may stand between: add its certificate to those of the system, or name its file in NODE_EXTRA_CA_CERTS, and start Talaria again.',
    )
  return passing(
    `The connection to ${host} broke.`,
    'Check the connection, then resume: what has come is kept.',
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
      text: `The disk became full while ${name} came in.`,
      fix: 'Free some space, then resume: what has come is kept.',
    }
  if (code === 'EFBIG')
    return {
      text: `${name} is larger than a file may be on this disk.`,
      fix: 'Keep the home folder on a disk with another file system, or choose a smaller file.',
    }
  return { text: `${name} could not be written: ${reasonOf(code)}.`, fix: 'Check the disk, then resume.' }
}

/** The problem reported before the first byte is written. */
export const notEnoughDisk = (name: string, neededBytes: number, freeBytes: number): DownloadProblem => ({
  text: `${name} needs ${formatBytes(neededBytes)} of disk, with a margin, and ${formatBytes(Math.max(0, freeBytes))} are free.`,
  fix: 'Free some space, then resume, or choose a smaller file.',
})

/** Format a waiting time for the user. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  if (seconds < 90) return byCount(seconds, 'a second', `${seconds} seconds`)
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}
