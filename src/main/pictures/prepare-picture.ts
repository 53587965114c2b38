import type { EngineChild, SpawnEngine } from '../models/interface/engine-child.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import { entryPath } from '../lib/disk/shipped-files.ts'
import { readPictureHeader, type PictureFormat, type PictureHeader } from './picture-header.ts'
import { isPictureAnswer, type PictureAnswer, type PictureJob } from './picture-job.ts'
import type { ShrunkPicture } from './shrink-picture.ts'

/** A picture that models can be given. `was`: the file that it was made from. `remarks`: what of it is not seen, in sentences. */
type PreparedPicture = ShrunkPicture & {
  was: { format: PictureFormat; width: number; height: number }
  remarks: string[]
}

/** How pictures are prepared. The defaults suit people; tests shorten them. */
type Limits = {
  /** The longest side that is kept, in pixels. */
  longest: number
  /** How long decoding may take, in ms. */
  patienceMs: number
  /** The most memory that decoding may take, in bytes. */
  mostMemory: number
}

/** Providers shrink what is larger, and count it as if it were not. */
const LIMITS: Limits = { longest: 1_568, patienceMs: 20_000, mostMemory: 512_000_000 }

/** Memory that the process takes without a picture, and copies of its pixels that it makes. */
const PROCESS_BYTES = 60_000_000
const COPIES = 2.25

/** The largest file of a picture. */
export const MOST_FILE_BYTES = 50_000_000

/** Prepares pictures for models. */
export type PictureMaker = {
  /**
   * Make of a file what models may get: judged by its content, upright, small, and with none of its metadata. Refused in words for
   * what is no picture, is damaged or too large, or is of a kind that nothing here reads.
   */
  prepare(bytes: Uint8Array, signal: AbortSignal): Promise<PreparedPicture | Refusal>
}

/** Prepare pictures one after the other, each in a process of its own with limits of time and memory. */
export function createPictureMaker(spawn: SpawnEngine, given: Partial<Limits> = {}): PictureMaker {
  const limits = { ...LIMITS, ...given }
  let last: Promise<unknown> = Promise.resolve()
  return {
    async prepare(bytes, signal) {
      const header = judgePicture(bytes, limits.mostMemory)
      if ('refused' in header) return header
      const job: PictureJob = { t: 'picture', bytes, header, ...limits }
      const before = last
      const answer = before.then(() => askProcess(spawn, job, limits.patienceMs, signal))
      last = answer.catch(() => undefined)
      const made = await answer
      if (made === 'late') return tooMuch(`took longer than ${limits.patienceMs / 1_000} seconds to decode`)
      if (made.outcome === 'memory') return tooMuch('took too much memory to decode')
      if (made.outcome === 'damaged')
        return {
          refused: `This ${header.format.toUpperCase()} picture is damaged or incomplete, so it cannot be shown.`,
        }
      const { format, width, height } = header
      return { ...made.picture, was: { format, width, height }, remarks: remarksOn(header) }
    },
  }
}

const tooMuch = (what: string): Refusal => ({
  refused: `This picture ${what}, so it was given up. Save it smaller and try again.`,
})

const shown = (count: number) => count.toLocaleString('en-US')

/**
 * What a file is, judged by its first bytes, or why it is not decoded: it is no picture, of a kind that nothing here reads, or has more
 * pixels than there may be memory for.
 */
function judgePicture(bytes: Uint8Array, mostMemory: number = LIMITS.mostMemory): PictureHeader | Refusal {
  if (bytes.byteLength > MOST_FILE_BYTES)
    return {
      refused: `This picture has ${shown(Math.round(bytes.byteLength / 1e6))} MB, and at most ${MOST_FILE_BYTES / 1e6} can be read. Save it smaller and try again.`,
    }
  const header = readPictureHeader(bytes)
  if (!header) return { refused: 'This file is not a picture that can be read, whatever its name says.' }
  if ('unread' in header) return refuseByName(header.unread)
  const { width, height, pixelBytes } = header
  const needed = width * height * pixelBytes * COPIES + PROCESS_BYTES
  if (needed <= mostMemory) return header
  const most = Math.floor((mostMemory - PROCESS_BYTES) / COPIES / pixelBytes / 1e6)
  return {
    refused: `This picture has ${shown(width)} × ${shown(height)} pixels. At most ${most} million pixels can be decoded here. Save it smaller and try again.`,
  }
}

const refuseByName = (name: string): Refusal =>
  name === 'SVG'
    ? { refused: 'This is an SVG, a drawing written as text. It is not drawn here; its text can be read.' }
    : { refused: `This is ${name}, which cannot be decoded here. Save it as JPEG or PNG and try again.` }

function remarksOn({ more, format }: PictureHeader): string[] {
  if (more === 'frames') return [`This ${format.toUpperCase()} is animated. Only its first frame is seen.`]
  return more === 'pages' ? ['This picture has several pages. Only the first is seen.'] : []
}

/** Ask a new process to decode a picture, and end it whatever comes of that. */
async function askProcess(
  spawn: SpawnEngine,
  job: PictureJob,
  patienceMs: number,
  signal: AbortSignal,
): Promise<PictureAnswer | 'late'> {
  signal.throwIfAborted()
  const answer = Promise.withResolvers<PictureAnswer | 'late'>()
  const timer = setTimeout(() => answer.resolve('late'), patienceMs)
  const stop = () => answer.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  let child: EngineChild | undefined
  try {
    child = spawn(entryPath('picture-process'), {}, ['--max-old-space-size=128'])
    child.onMessage(message => isPictureAnswer(message) && answer.resolve(message))
    // A decoder that crashed has met what its writers did not expect.
    child.onExit(() => answer.resolve({ outcome: 'damaged' }))
    child.post(job)
    return await answer.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    child?.kill()
  }
}
