import { join } from 'node:path'
import { formatBytes } from '../../../shared/amounts.ts'
import { isThisComputer, OfflineError } from '../../lib/offline.ts'
import {
  sendRequest,
  RefusedRedirection,
  type Redirected,
  requestHeaders,
  rememberValidators,
  readResponse,
} from './send-request.ts'
import {
  explainDisk,
  explainNetwork,
  explainStatus,
  isDiskError,
  type RetryVerdict,
  formatDuration,
} from './explain-failure.ts'
import { nameOfAddress } from './target-names.ts'
import { openPart, type PartFile } from './part-file.ts'
import type { Piece, DownloadProblem } from './download-entry.ts'

/** What a download needs from its caller. */
export type FetchContext = {
  folder: string
  fetch: typeof fetch
  /** Whether the offline lock blocks other computers. */
  locked: () => boolean
  now: () => number
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Time without a byte, in ms, after which to reconnect. */
  stallMs: number
  /** Checks for disk space, once the size is known and before anything is written. */
  room: () => Promise<DownloadProblem | undefined>
  /** Called when bytes arrived or the piece changed otherwise. */
  onMove: () => void
  /** A message for the user although nothing failed; empty when it no longer applies. */
  onNote: (text: string) => void
  onSafe: () => void
}

/** Attempts in a row without a new byte, and restarts of a file from its beginning. */
const mostMisses = 6
const mostRestarts = 3
/** If a server asks to wait longer than this, the user decides when to try again. */
const mostWaitMs = 5 * 60_000

type Outcome = 'whole' | 'anew' | RetryVerdict

/**
 * Download a file from where it stopped, through broken connections and busy servers, until it is complete. Returns
 * what went wrong in the end. Throws the signal’s reason when it aborts, and keeps the bytes received so far.
 */
export async function fetchFile(
  piece: Piece,
  around: FetchContext,
  signal: AbortSignal,
): Promise<DownloadProblem | undefined> {
  if (piece.totalBytes !== null && piece.totalBytes > 0 && piece.doneBytes === piece.totalBytes)
    return undefined
  try {
    const part = await openPart(join(around.folder, piece.part), piece.doneBytes, bytes => {
      piece.safeBytes = bytes
      around.onSafe()
    })
    piece.doneBytes = part.bytes
    try {
      return await persist(piece, part, around, signal)
    } finally {
      await part.close()
    }
  } catch (error) {
    if (signal.aborted || !isDiskError(error)) throw error
    return explainDisk(error, piece.name)
  }
}

async function persist(
  piece: Piece,
  part: PartFile,
  around: FetchContext,
  signal: AbortSignal,
): Promise<DownloadProblem | undefined> {
  let furthest = part.bytes
  let misses = 0
  let restarts = 0
  for (;;) {
    const outcome = await attempt(piece, part, around, signal)
    signal.throwIfAborted()
    if (outcome === 'whole') return undefined
    if (outcome === 'anew') {
      if (++restarts > mostRestarts) return neverTheSame(piece)
      continue
    }
    misses = part.bytes > furthest ? 0 : misses + 1
    furthest = Math.max(furthest, part.bytes)
    const waitMs = outcome.waitMs ?? 1_000 * 2 ** misses
    if (!outcome.again || misses > mostMisses || waitMs > mostWaitMs) return outcome
    around.onNote(`${outcome.text} It is tried again in ${formatDuration(waitMs)}.`)
    await around.wait(waitMs, signal)
    around.onNote('')
  }
}

const neverTheSame = ({ name }: Piece): DownloadProblem => ({
  text: `The server sends another ${name} each time it is asked.`,
  fix: 'Try again later, or fetch the file from another address.',
})

async function attempt(
  piece: Piece,
  part: PartFile,
  around: FetchContext,
  signal: AbortSignal,
): Promise<Outcome> {
  const { host } = new URL(piece.from)
  const stall = watchStall(around.stallMs)
  const init = { method: 'GET', signal: AbortSignal.any([signal, stall.signal]) } as const
  try {
    const answered = await sendRequest(
      around.fetch,
      piece.from,
      linked => requestHeaders(piece, part.bytes, linked),
      init,
    )
    const outcome = await take(answered, piece, part, around, stall.touch)
    // Cancel a body that will not be read, so that the server stops sending.
    if (!answered.response.bodyUsed) await answered.response.body?.cancel()
    return outcome
  } catch (error) {
    if (signal.aborted || isDiskError(error)) throw error
    if (error instanceof RefusedRedirection)
      return { text: error.message, fix: 'Check the address.', again: false }
    return explainNetwork(stall.signal.aborted ? stall.signal.reason : error, host)
  } finally {
    stall.stop()
  }
}

async function take(
  { response, linked, host }: Redirected,
  piece: Piece,
  part: PartFile,
  around: FetchContext,
  touch: () => void,
): Promise<Outcome> {
  const { status, headers } = response
  if (![200, 206, 416].includes(status)) return explainStatus(status, host, headers, around.now())
  if (piece.sha256 !== '' && linked && linked.sha256 !== '' && linked.sha256 !== piece.sha256)
    return final(
      'The server has another file at this address than the one that is wanted.',
      'Check the address.',
    )
  const reading = readResponse(response, linked, piece, part.bytes)
  if (reading.kind === 'whole') {
    piece.totalBytes = part.bytes
    return 'whole'
  }
  const begins = reading.kind === 'anew' || reading.at === 0
  if (begins && part.bytes > 0) {
    around.onNote(
      reading.changed
        ? 'The file was changed on the server, so it began anew.'
        : 'The server cannot go on where a download stopped, so it began anew.',
    )
    await part.restart()
    piece.doneBytes = 0
    piece.totalBytes = null
  }
  if (reading.kind === 'anew') return 'anew'
  if (reading.at === 0) {
    rememberValidators(piece, headers, linked)
    rename(piece, headers)
  }
  piece.totalBytes = reading.totalBytes
  around.onMove()
  const trouble = await around.room()
  if (trouble) return { ...trouble, again: false }
  return receive(response, host, piece, part, around, touch)
}

async function receive(
  response: Response,
  host: string,
  piece: Piece,
  part: PartFile,
  around: FetchContext,
  touch: () => void,
): Promise<Outcome> {
  const nearby = isThisComputer(host.replace(/:\d+$/, ''))
  const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '')
  let start = Buffer.alloc(0)
  let isModel = part.bytes > 0
  for await (const chunk of response.body ?? []) {
    touch()
    if (!nearby && around.locked()) throw new OfflineError(host)
    if (piece.totalBytes !== null && part.bytes + chunk.length > piece.totalBytes)
      return await away(part, piece, tooMuch(host, piece.totalBytes))
    if (!isModel) {
      start = Buffer.concat([start, chunk.subarray(0, 4)])
      if (start.length >= 4 && start.toString('latin1', 0, 4) !== 'GGUF')
        return await away(part, piece, notAModel(host, isPage))
      isModel = start.length >= 4
    }
    await part.append(chunk)
    piece.doneBytes = part.bytes
    around.onMove()
  }
  if (!isModel) return await away(part, piece, notAModel(host, isPage))
  if (piece.totalBytes !== null && part.bytes < piece.totalBytes)
    return { ...explainNetwork(undefined, host), text: `${host} ended the connection too early.` }
  piece.totalBytes = part.bytes
  return 'whole'
}

/** The received bytes are useless: delete them. */
async function away(part: PartFile, piece: Piece, verdict: RetryVerdict): Promise<RetryVerdict> {
  await part.restart()
  piece.doneBytes = 0
  return verdict
}

const final = (text: string, fix: string): RetryVerdict => ({ text, fix, again: false })

const tooMuch = (host: string, bytes: number) =>
  final(
    `${host} sends more than the ${formatBytes(bytes)} that it announced.`,
    'Fetch the file from another address.',
  )

const notAModel = (host: string, isPage: boolean) =>
  isPage
    ? final(`${host} sent a web page, not a model file.`, 'Copy the address of the download itself.')
    : final(`What ${host} sent is not a GGUF model file.`, 'Choose a file that ends in .gguf.')

/** Servers whose addresses do not end in a file name send the name with the file. */
function rename(piece: Piece, headers: Headers): void {
  const disposition = headers.get('content-disposition')
  if (disposition === null || /\.gguf$/i.test(new URL(piece.from).pathname)) return
  piece.name = nameOfAddress(piece.from, disposition)
}

/** A signal that aborts when nothing arrives for a while. */
function watchStall(ms: number) {
  const controller = new AbortController()
  const late = () => controller.abort(Object.assign(new Error('nothing came'), { code: 'ETIMEDOUT' }))
  const timer = setTimeout(late, ms)
  return {
    signal: controller.signal,
    touch: () => void timer.refresh(),
    stop: () => clearTimeout(timer),
  }
}
