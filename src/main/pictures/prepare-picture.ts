import type { EngineChild, SpawnEngine } from '../models/interface/engine-child.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import { entryPath } from '../lib/disk/shipped-files.ts'
import { readPictureHeader, type PictureFormat, type PictureHeader } from './picture-header.ts'
import { isPictureAnswer, type PictureAnswer, type PictureJob } from './picture-job.ts'
import type { ShrunkPicture } from './shrink-picture.ts'

/** A picture ready for models. `was`: the original. `remarks`: sentences about parts that are not seen. */
type PreparedPicture = ShrunkPicture & {
  was: { format: PictureFormat; width: number; height: number }
  remarks: string[]
}

/** Limits for preparing pictures. The defaults suit users; tests use shorter ones. */
type Limits = {
  /** Maximum length of the longer side, in pixels. */
  longest: number
  /** Maximum time for decoding, in ms. */
  patienceMs: number
  /** Maximum memory for decoding, in bytes. */
  mostMemory: number
}

/** Providers scale larger pictures down, and then count only the smaller size. */
const LIMITS: Limits = { longest: 1_568, patienceMs: 20_000, mostMemory: 512_000_000 }

/** Memory that the process uses without a picture, and how many copies of the pixels it makes. */
const PROCESS_BYTES = 60_000_000
const COPIES = 2.25

/** Maximum size of a picture file, in bytes. */
export const MOST_FILE_BYTES = 50_000_000

/** Prepares pictures for models. */
export type PictureMaker = {
  /**
   * Make a picture for models: judged by its content, upright, small, without metadata. Returns a refusal as
   * text if the file is not a picture, is damaged or too large, or has a format that cannot be read here.
   */
  prepare(bytes: Uint8Array, signal: AbortSignal): Promise<PreparedPicture | Refusal>
}

/** Prepare pictures one after the other, each in a separate process with limits on time and memory. */
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
 * Read the header of a file, or refuse it: it is not a picture, has a format that cannot be read here, or has
 * more pixels than the memory limit allows.
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

/** Let a new process decode a picture. The process is always ended afterwards. */
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
    // A crashed decoder has met a file that its authors did not expect.
    child.onExit(() => answer.resolve({ outcome: 'damaged' }))
    child.post(job)
    return await answer.promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    child?.kill()
  }
}
