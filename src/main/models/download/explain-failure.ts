import { OfflineError, unlockFix } from '../lib/offline.ts'
import { reasonOf } from '../lib/reason-of.ts'
import { durationInWords, inWords } from './in-words.ts'
import type { Trouble } from './piece.ts'

/** What an answer or an error means: `waitMs` is there when the server says how long; `again` whether waiting may help. */
export type Verdict = Trouble & { again: boolean; waitMs?: number }

const final = (text: string, fix: string): Verdict => ({ text, fix, again: false })
const passing = (text: string, fix: string): Verdict => ({ text, fix, again: true })

/** Put a refusal of a server into words. */
export function explainStatus(status: number, host: string, headers: Headers, now: number): Verdict {
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
    const until = waitMs === undefined ? '' : ` and asks to wait ${durationInWords(waitMs)}`
    return { ...passing(`${host} gets too many requests${until}.`, 'Wait a little, then resume.'), ...wait }
  }
  if (status === 408 || status === 425 || status >= 500) {
    const text = `${host} has a problem of its own (error ${status}).`
    return { ...passing(text, 'Resume later: what has come is kept.'), ...wait }
  }
  return final(`${host} did not send the file (error ${status}).`, 'Check the address.')
}

/** How long a server asks to wait, in milliseconds: it says so in seconds or as a date. */
function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  // Dates are of one form here; what else JavaScript takes for one means nothing.
  const date = /^[A-Z][a-z]{2}, .+ GMT$/.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/

/** Put an error on the way to a server into words. */
export function explainNetwork(error: unknown, host: string): Verdict {
  if (error instanceof OfflineError) return final(error.message, unlockFix)
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
      'Check the address and the clock of this computer. A company network may need its own certificate.',
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

/** Whether a disk, and not a network, made this error. */
export const isDiskError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && !(error instanceof TypeError) && 'code' in error && 'errno' in error

/** Put an error of the disk into words. */
export function explainDisk({ code }: NodeJS.ErrnoException, name: string): Trouble {
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

/** Said before the first byte is written. */
export const noRoom = (name: string, neededBytes: number, freeBytes: number): Trouble => ({
  text: `${name} needs ${inWords(neededBytes)} of disk, with a margin, and ${inWords(Math.max(0, freeBytes))} are free.`,
  fix: 'Free some space, then resume, or choose a smaller file.',
})
