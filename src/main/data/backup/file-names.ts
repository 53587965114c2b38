import { DATABASE, MANIFEST } from './manifest.ts'
import { partOf } from '../home-parts.ts'

const LONGEST = 1_000
const CONTROL = /\p{Cc}/u

/**
 * Why a file of this name can be neither put into a backup nor taken from one, as a phrase; undefined when it can. Writer and
 * reader ask the same, so what is written can be restored, and a name never leads out of the new home.
 */
export function nameFlaw(name: string): string | undefined {
  if (name === MANIFEST || name === DATABASE) return undefined
  if (name === '' || name.length > LONGEST) return 'its name is empty or too long'
  if (CONTROL.test(name) || name.includes('\uFFFD')) return 'its name has characters that are not text'
  if (/[\\:]/.test(name)) return 'its name has a “\\” or a “:”'
  const parts = name.split('/')
  if (parts.some(part => part === '' || part === '.' || part === '..')) return 'its name leads elsewhere'
  const part = partOf(parts[0]!)
  return !part || part.inBackup === 'never' ? 'it is no part of a backup' : undefined
}
