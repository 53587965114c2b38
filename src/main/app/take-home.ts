import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { many } from '../../shared/text/amounts.ts'
import { Fault } from '../../shared/rpc.ts'
import { mirrorHome, removeLeftCopies, roomOn } from '../data/mirror-home.ts'
import { findOtherComputer, markHome } from '../config/computer-mark.ts'
import { lockHome } from '../db/file/lock.ts'
import { fileErrorCode, reasonOf, systemCodeIn, type SystemData } from '../lib/expected-errors.ts'

/** Why a home is read-only, and what to do. `isFull`: it becomes writable once there is room. */
type Reading = { why: string; fix: string; isFull?: true }

/** A locked home. `path` is where the host works: a copy if the home is read-only, with the reason. */
export type HeldHome = { path: string; reading?: Reading; close(): void }

/** Minimum free bytes for a host to start: the database's log and its shared memory. */
const LEAST_ROOM = 512 * 1024

/**
 * Lock a home folder. If it cannot be written now, or another computer has it, open it read-only. Throws a
 * `busy` Fault if another process on this computer has it.
 */
export function takeHome(
  home: string,
  parts: {
    now: () => number
    onTaken: (computer: string) => void
    /** Return how many bytes can still be written to a home. */
    roomIn?: ((home: string) => number) | undefined
  },
): HeldHome {
  removeLeftCopies()
  const other = findOtherComputer(home, parts)
  if (other) return openForReading(home, ofOther(home, other))
  const room = (parts.roomIn ?? roomOn)(home)
  if (room < LEAST_ROOM && isInhabited(home)) return openForReading(home, FULL_DISK)
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
    if (unwritable === undefined) throw error
    if (!isInhabited(home))
      throw error instanceof Fault
        ? error
        : new Fault('not_ready', emptyHome(home, unwritable), { system: codeOf(error) } satisfies SystemData)
    if (unwritable === FULL) return openForReading(home, FULL_DISK)
    const fix = unwritable === READ_ONLY ? MAKE_WRITABLE : GIVE_RIGHTS
    return openForReading(home, { why: unwritable, fix })
  }
}

const FULL = 'the disk is full'
const emptyHome = (home: string, why: string) =>
  `Talaria cannot start in ${home}: ${why}. ${why === FULL ? 'Free some space, or choose' : 'Choose'} another folder with --home.`
const FULL_DISK: Reading = {
  why: FULL,
  fix: 'Free some space, and Talaria continues automatically. To see what uses the space, run: talaria data size.',
  isFull: true,
}
const READ_ONLY = 'the disk is read-only'
const GIVE_RIGHTS = 'Give this user write access to it, and restart Talaria.'
const MAKE_WRITABLE = 'Make it writable, and restart Talaria.'

function ofOther(home: string, { name, secondsAgo }: { name: string; secondsAgo: number }) {
  const ago =
    secondsAgo < 60 ? 'less than a minute ago' : `${many(Math.round(secondsAgo / 60), 'minute')} ago`
  return {
    why: `the computer ${name} is using it, last ${ago}`,
    fix: `Close Talaria there. If that computer is gone, run: talaria data take-over --home ${JSON.stringify(home)}`,
  }
}

function openForReading(home: string, reading: Reading): HeldHome {
  const { path, close } = mirrorHome(home)
  return { path, reading, close }
}

/** Return whether a home has something to read; a new one does not. */
const isInhabited = (home: string) =>
  ['state.db', 'config.yaml', 'memories'].some(name => existsSync(join(home, name)))

/**
 * Return why the home is not writable: disk full, read-only, or missing rights. Undefined for other errors.
 */
function whyUnwritable(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === '') return undefined
  const why = reasonOf(code)
  return error instanceof Fault && why !== FULL && why !== READ_ONLY ? 'this user may not write to it' : why
}

/** Return the error code of the system or of SQLite; empty if neither caused the error. */
function codeOf(error: unknown): string {
  if (error instanceof Fault) return error.code === 'not_ready' ? systemCodeIn(error.data) : ''
  return error instanceof Error && 'syscall' in error ? fileErrorCode(error) : ''
}
