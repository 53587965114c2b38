import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contract } from '../../src/shared/contract/index.ts'
import { Origin } from '../../src/shared/contract/chats/session.ts'
import type { Absent } from './read-checks.ts'

/** The repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Where something exists that the table calls absent, as a sentence; undefined if it exists nowhere. */
export function whereIs(absent: Absent): string | undefined {
  if ('path' in absent) return existsSync(join(ROOT, absent.path)) ? `There is ${absent.path}.` : undefined
  if ('origin' in absent)
    return Origin.options.some(each => each === absent.origin)
      ? `There are chats of the origin ${absent.origin}.`
      : undefined
  if ('call' in absent) return absent.call in contract ? `The contract has ${absent.call}.` : undefined
  const place = join(ROOT, absent.in)
  if (!existsSync(place)) return `${absent.in} is gone, so nothing is known of “${absent.word}”.`
  const files = statSync(place).isDirectory()
    ? globSync('**/*.{ts,tsx}', { cwd: place }).map(file => join(place, file))
    : [place]
  const found = files.find(
    file =>
      !file.includes('.test.') &&
      readFileSync(file, 'utf8').toLowerCase().includes(absent.word.toLowerCase()),
  )
  return found && `${found.slice(ROOT.length)} says “${absent.word}”.`
}
