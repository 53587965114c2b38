import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { many } from '../../shared/amounts.ts'
import { Fault } from '../../shared/rpc.ts'
import { mirrorHome, removeLeftCopies } from '../data/mirror-home.ts'
import { findOtherComputer, markHome } from '../config/computer-mark.ts'
import { lockHome } from '../db/lock.ts'
import { fileErrorCode, reasonOf } from '../lib/expected-errors.ts'

/** A home that is held. `path` is where the host works: a copy when the home can only be read, with the reason. */
export type HeldHome = { path: string; reading?: { why: string; fix: string }; close(): void }

/** Room that a host needs to begin: the log of the database and its shared memory. */
const LEAST_ROOM = 512 * 1024

/**
 * Hold a home folder. One that cannot be written just now, or that another computer has, is opened for reading. Throws a `busy`
 * Fault when another process of this computer has it.
 */
export function takeHome(
  home: string,
  parts: {
    now: () => number
    onTaken: (computer: string) => void
    /** How many bytes can still be written there. */
    roomIn?: (home: string) => number
  },
): HeldHome {
  removeLeftCopies()
  const other = findOtherComputer(home, parts)
  if (other) return openForReading(home, ofOther(home, other))
  const room = (parts.roomIn ?? roomOn)(home)
  if (room < LEAST_ROOM && isInhabited(home)) return openForReading(home, { why: FULL, fix: MAKE_ROOM })
  let lock: { close(): void } | undefined
  try {
    lock = lockHome(home)
    const held = lock
    const mark = markHome(home, parts, parts.onTaken)
    return {
      path: home,
      close() {
        mark.close()
        held.close()
      },
    }
  } catch (error) {
    lock?.close()
    const unwritable = whyUnwritable(error)
    if (unwritable === undefined || !isInhabited(home)) throw error
    return openForReading(home, { why: unwritable, fix: unwritable === FULL ? MAKE_ROOM : GIVE_RIGHTS })
  }
}

const FULL = 'the disk is full'
const MAKE_ROOM = 'Free some space, and start Talaria again.'
const GIVE_RIGHTS = 'Let this user write there, and start Talaria again.'

function ofOther(home: string, { name, secondsAgo }: { name: string; secondsAgo: number }) {
  const ago =
    secondsAgo < 60 ? 'less than a minute ago' : `${many(Math.round(secondsAgo / 60), 'minute')} ago`
  return {
    why: `the computer ${name} is using it, last ${ago}`,
    fix: `Close Talaria there. If that computer is gone, run: talaria data take-over --home ${JSON.stringify(home)}`,
  }
}

function openForReading(home: string, reading: { why: string; fix: string }): HeldHome {
  const { path, close } = mirrorHome(home)
  return { path, reading, close }
}

/** A home with something in it; there is nothing to read in a new one. */
const isInhabited = (home: string) =>
  ['state.db', 'config.yaml', 'memories'].some(name => existsSync(join(home, name)))

/** Some file systems say nothing of their size. */
function roomOn(home: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(home)
    return blocks > 0 ? bavail * bsize : Infinity
  } catch {
    return Infinity
  }
}

/** Why the home cannot be written to: a full or read-only disk, or missing rights. Undefined for any other error. */
function whyUnwritable(error: unknown): string | undefined {
  if (error instanceof Fault)
    return error.code !== 'not_ready' || /is not a lock|is a link/.test(error.message)
      ? undefined
      : /disk is full/.test(error.message)
        ? FULL
        : /disk is read-only/.test(error.message)
          ? 'the disk is read-only'
          : 'it may not be written'
  if (!(error instanceof Error) || !('syscall' in error)) return undefined
  return reasonOf(fileErrorCode(error))
}
