import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../lib/expected-errors.ts'

/** A lock applies to one computer. In a shared folder, this file names the computer that has the home. */
const NAME = '.lock.computer'
const BEAT_MS = 120_000
/** An older mark was left behind: its computer was switched off, or cannot reach the folder. */
const FRESH_MS = 300_000

const Mark = z.object({ computer: z.string().min(1).max(255), at: z.number() })
type Mark = z.infer<typeof Mark>

/** What a computer needs to know to open a home. */
export type MarkParts = { now: () => number; computer?: string }

/** Return the other computer that has the home now; undefined if none. */
export function findOtherComputer(
  home: string,
  { now, computer = hostname() }: MarkParts,
): { name: string; secondsAgo: number } | undefined {
  const mark = readMark(home)
  // A clock that is wrong by hours must not lock a home forever.
  if (!mark || mark.computer === computer || Math.abs(now() - mark.at) > FRESH_MS) return undefined
  return { name: mark.computer, secondsAgo: Math.max(0, Math.round((now() - mark.at) / 1_000)) }
}

/**
 * Record that this computer has the home, and renew the record until it is closed. Throws the system's error
 * if the folder is not writable. `onTaken` is called once if another computer takes the home.
 */
export function markHome(
  home: string,
  { now, computer = hostname() }: MarkParts,
  onTaken: (computer: string) => void,
): { close(): void } {
  const path = join(home, NAME)
  const write = () =>
    writeFileSync(path, JSON.stringify({ computer, at: now() } satisfies Mark), { mode: 0o600 })
  write()
  const timer = setInterval(() => {
    const other = findOtherComputer(home, { now, computer })
    if (other) {
      clearInterval(timer)
      return onTaken(other.name)
    }
    try {
      write()
    } catch {
      // A full or missing disk is reported when something is to be saved.
    }
  }, BEAT_MS)
  timer.unref()
  return {
    close() {
      clearInterval(timer)
      if (readMark(home)?.computer === computer) rmSync(path, { force: true })
    },
  }
}

/** Take a home away from the computer that has it, if the user says that this computer is gone. */
export const forgetComputer = (home: string): void => rmSync(join(home, NAME), { force: true })

function readMark(home: string): Mark | undefined {
  try {
    return Mark.safeParse(parseJson(readFileSync(join(home, NAME), 'utf8'))).data
  } catch {
    return undefined
  }
}
