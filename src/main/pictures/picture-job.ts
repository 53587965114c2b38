import type { PictureHeader } from './picture-header.ts'
import type { ShrunkPicture } from './shrink-picture.ts'

/** One picture for the decoding process. `mostMemory` is in bytes. */
export type PictureJob = {
  t: 'picture'
  bytes: Uint8Array
  header: PictureHeader
  longest: number
  mostMemory: number
}

/** The result of a job. */
export type PictureAnswer =
  | { outcome: 'picture'; picture: ShrunkPicture }
  | { outcome: 'damaged' }
  | { outcome: 'memory' }

const hasField = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && name in value

/** Whether a message is a job. */
export const isPictureJob = (message: unknown): message is PictureJob =>
  hasField(message, 't') && hasField(message, 'bytes') && hasField(message, 'header')

/** Whether a message is an answer. */
export const isPictureAnswer = (message: unknown): message is PictureAnswer => hasField(message, 'outcome')
