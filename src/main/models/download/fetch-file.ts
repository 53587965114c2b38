import { join } from 'node:path'
import { isThisComputer, OfflineError } from '../../lib/network/offline.ts'
import {
  sendRequest,
  RefusedRedirection,
  type Redirected,
  type RequestContext,
  requestHeaders,
  rememberValidators,
  readResponse,
} from './send-request.ts'
import {
  explainContent,
  explainDisk,
  explainLength,
  explainNetwork,
  explainRedirection,
  explainStatus,
  isDiskError,
  type RetryVerdict,
} from './explain-failure.ts'
import { isHubAddress, isSigned } from './hub.ts'
import { nameOfAddress } from './target-names.ts'
import { openPart, type PartFile } from './part-file.ts'
import { takeBody, type ReadExtent, type Taken } from './take-body.ts'
import type { Piece, DownloadProblem } from './download-entry.ts'

/** The dependencies of a download. */
export type FetchContext = RequestContext & {
  folder: string
  readExtent: ReadExtent
  /** Find a file with this content on this computer, unless the user wants to download it again. */
  findHere: (wanted: WantedFile, signal: AbortSignal) => Promise<string | undefined>
  /** Whether the offline lock blocks other computers. */
  locked: () => boolean
  now: () => number
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** How long to wait without a byte before reconnecting, in ms. */
  stallMs: number
  /** Check for disk space, after the size is known and before anything is written. */
  room: () => Promise<DownloadProblem | undefined>
  /** Called after bytes arrived or the piece changed otherwise. */
  onMove: () => void
  /** Show the user a temporary problem; empty clears it. `retryAt`: the next attempt, in ms since 1970. */
  onNote: (text: string, retryAt?: number) => void
  onSafe: () => void
}

/** A file as a server announces it. */
export type WantedFile = { address: string; name: string; sizeBytes: number; sha256: string }
/** The result of a download: undefined for success, the path of an existing copy, or a problem. */
export type Fetched = undefined | { here: string } | DownloadProblem

/** Maximum in a row: attempts without a new byte, answers by something else, and changed contents. */
const mostMisses = 6
const mostOddAnswers = 3
const mostRestarts = 3
/** Maximum wait that a server may ask for. Beyond that, the user decides when to try again. */
const mostWaitMs = 5 * 60_000

type Outcome = 'whole' | 'anew' | { here: string } | (RetryVerdict & { odd?: true; early?: true })

/**
 * Download a file from where it stopped, through broken connections and busy servers, until it is complete.
 * Returns the final problem, if any. Throws the signal’s reason if it aborts, and keeps the bytes received so
 * far.
 */
export async function fetchFile(piece: Piece, around: FetchContext, signal: AbortSignal): Promise<Fetched> {
  const isAll = piece.totalBytes !== null && piece.totalBytes > 0 && piece.doneBytes === piece.totalBytes
  if (isAll && !piece.suspect) return undefined
  try {
    const part = await openPart(join(around.folder, piece.part), piece.doneBytes, bytes => {
      piece.safeBytes = bytes
      around.onSafe()
    })
    piece.doneBytes = part.bytes
    try {
      return await persist(piece, part, around, signal)
    } finally {
      piece.doneBytes = part.bytes
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
): Promise<Fetched> {
  let furthest = part.bytes
  let misses = 0
  let restarts = 0
  // Compare doubtful content with the whole file.
  let wholly = piece.suspect
  for (;;) {
    const outcome = await attempt(piece, part, around, signal, wholly)
    signal.throwIfAborted()
    if (outcome === 'whole') return undefined
    if (outcome !== 'anew' && 'here' in outcome) return outcome
    const hasMoved = part.bytes > furthest
    furthest = Math.max(furthest, part.bytes)
    if (outcome === 'anew') {
      if (hasMoved) restarts = 0
      if (++restarts > mostRestarts) return neverTheSame(piece)
      wholly = true
      continue
    }
    wholly = piece.suspect
    misses = hasMoved ? 0 : misses + 1
    const waitMs = outcome.waitMs ?? 1_000 * 2 ** misses
    const most = outcome.odd ? mostOddAnswers : mostMisses
    if (!outcome.again || misses > most || waitMs > mostWaitMs)
      return outcome.early && (await isWhole(piece, part, around)) ? undefined : outcome
    around.onNote(outcome.text, around.now() + waitMs)
    await around.wait(waitMs, signal)
    around.onNote('')
  }
}

/** Whether the file's own header says that it is complete, although the server announces more bytes. */
async function isWhole(piece: Piece, part: PartFile, around: FetchContext): Promise<boolean> {
  const extent = await around.readExtent(part.path)
  if (typeof extent !== 'object' || !extent.exact || part.bytes < extent.endsAt) return false
  piece.totalBytes = part.bytes
  return true
}

const neverTheSame = ({ name }: Piece): DownloadProblem => ({
  text: `The server sends a different ${name} each time.`,
  fix: 'The part already downloaded is kept. Try again later, or download the file from another address.',
})

async function attempt(
  piece: Piece,
  part: PartFile,
  around: FetchContext,
  signal: AbortSignal,
  wholly: boolean,
): Promise<Outcome> {
  const { host } = new URL(around.hub.route(piece.from))
  const stall = watchStall(around.stallMs)
  const init = { method: 'GET', signal: AbortSignal.any([signal, stall.signal]) } as const
  const hasCome = part.bytes > 0
  try {
    const answered = await sendRequest(
      around,
      piece.from,
      linked => requestHeaders(piece, wholly ? 0 : part.bytes, linked),
      init,
    )
    const outcome = await take(answered, piece, part, around, { wholly, touch: stall.touch, signal })
    // Cancel a body that will not be read, so that the server stops sending.
    if (!answered.response.bodyUsed) await answered.response.body?.cancel()
    return outcome
  } catch (error) {
    if (signal.aborted || isDiskError(error)) throw error
    if (error instanceof RefusedRedirection)
      return { ...explainRedirection(error.message, hasCome), odd: true }
    const reason: unknown = stall.signal.aborted ? stall.signal.reason : error
    return { ...explainNetwork(reason, host, hasCome), early: true }
  } finally {
    stall.stop()
  }
}

async function take(
  { response, linked, host, isElsewhere }: Redirected,
  piece: Piece,
  part: PartFile,
  around: FetchContext,
  how: { wholly: boolean; touch: () => void; signal: AbortSignal },
): Promise<Outcome> {
  const { status, headers } = response
  const hasCome = part.bytes > 0
  if (![200, 206, 416].includes(status)) {
    const access = around.hub.adviseAccess(piece.from)
    const known = { hasCome, isElsewhere, isSigned: isSigned(piece.from), access }
    const verdict = explainStatus(status, host, headers, around.now(), known)
    return status < 500 && status !== 429 ? { ...verdict, odd: true } : verdict
  }
  if (piece.sha256 !== '' && linked && linked.sha256 !== '' && linked.sha256 !== piece.sha256)
    return final('The server has a different file at this address.', 'Check the address and the checksum.')
  const asked = how.wholly ? 0 : part.bytes
  const reading = readResponse(response, linked, piece, asked)
  if (reading.kind === 'whole') {
    piece.totalBytes = part.bytes
    return 'whole'
  }
  if (reading.kind === 'anew') return 'anew'
  if (!hasCome) {
    const here = await lookHere(piece, headers, reading.totalBytes, linked?.sha256 ?? '', around, how.signal)
    if (here !== undefined) return { here }
  } else if (reading.at === 0 && !how.wholly)
    around.onNote(
      'The server cannot continue an interrupted download, so the file is compared with the part already downloaded.',
    )
  const settle = async (changed: boolean) => {
    if (changed) around.onNote('The file changed on the server, so the download started again.')
    if (reading.at === 0) {
      rememberValidators(piece, headers, linked)
      rename(piece, headers)
    } else piece.pieced = true
    piece.doneBytes = part.bytes
    piece.totalBytes = reading.totalBytes
    around.onMove()
    const trouble = await around.room()
    return trouble && { ...trouble, again: false }
  }
  const nearby = isThisComputer(host.replace(/:\d+$/, ''))
  const taken = await takeBody(
    {
      body: response.body ?? nothing(),
      at: reading.at,
      totalBytes: reading.totalBytes,
      settle,
      onChunk() {
        how.touch()
        if (!nearby && around.locked()) throw new OfflineError(host)
      },
      onMove() {
        piece.doneBytes = part.bytes
        around.onMove()
      },
    },
    part,
    around.readExtent,
  )
  piece.doneBytes = part.bytes
  if (taken === 'whole') {
    piece.totalBytes = part.bytes
    piece.suspect = false
  }
  // The announced length was wrong.
  if (taken === 'short') piece.totalBytes = null
  return judge(taken, host, isPage(headers), hasCome || isHubAddress(piece.from))
}

function judge(taken: Taken, host: string, page: boolean, mayPass: boolean): Outcome {
  if (typeof taken === 'object') return taken
  switch (taken) {
    case 'whole':
      return 'whole'
    case 'elsewhere':
      return 'anew'
    case 'alien':
      return { ...explainContent(host, page, mayPass), odd: true }
    case 'early':
      return { ...explainLength(host, taken), early: true }
    case 'short':
    case 'endless':
      return explainLength(host, taken)
  }
}

async function lookHere(
  piece: Piece,
  headers: Headers,
  sizeBytes: number | null,
  announced: string,
  around: FetchContext,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (sizeBytes === null || isPage(headers)) return undefined
  const name = nameOfAddress(piece.from, headers.get('content-disposition'))
  const sha256 = piece.sha256 || announced
  return around.findHere({ address: piece.from, name, sizeBytes, sha256 }, signal)
}

const isPage = (headers: Headers): boolean => /^text\/html\b/i.test(headers.get('content-type') ?? '')

async function* nothing(): AsyncGenerator<Uint8Array> {}

const final = (text: string, fix: string): RetryVerdict => ({ text, fix, again: false })

/** Take the name from the response, for servers whose addresses do not end in a file name. */
function rename(piece: Piece, headers: Headers): void {
  const disposition = headers.get('content-disposition')
  if (disposition === null || /\.gguf$/i.test(new URL(piece.from).pathname)) return
  piece.name = nameOfAddress(piece.from, disposition)
}

/** Create a signal that aborts if nothing arrives for `ms`. */
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
