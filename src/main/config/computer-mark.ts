import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../lib/expected-errors.ts'

/** A lock holds on one computer only. In a folder that several see, this file says who has the home now. */
const NAME = '.lock.computer'
const BEAT_MS = 120_000
/** A mark that is older was left behind: its computer was switched off, or cannot reach the folder. */
const FRESH_MS = 300_000

const Mark = z.object({ computer: z.string().min(1).max(255), at: z.number() })
type Mark = z.infer<typeof Mark>

/** What a computer knows of a home that it opens. */
export type MarkParts = { now: () => number; computer?: string }

/** The other computer that has the home now; undefined when none does. */
export function findOtherComputer(
  home: string,
  { now, computer = hostname() }: MarkParts,
): { name: string; secondsAgo: number } | undefined {
  const mark = readMark(home)
  // A clock that is wrong by hours must not close a home for ever.
  if (!mark || mark.computer === computer || Math.abs(now() - mark.at) > FRESH_MS) return undefined
  return { name: mark.computer, secondsAgo: Math.max(0, Math.round((now() - mark.at) / 1_000)) }
}

/**
 * Say that this computer has the home, again and again until it is closed. Throws what the system says when nothing can be
 * written there. `onTaken` hears once of another computer that has taken it.
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
      // A disk that is full or away says so where something is to be saved.
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

/** Take a home away from the computer that has it, when a person says that it is gone. */
export const forgetComputer = (home: string): void => rmSync(join(home, NAME), { force: true })

function readMark(home: string): Mark | undefined {
  try {
    return Mark.safeParse(parseJson(readFileSync(join(home, NAME), 'utf8'))).data
  } catch {
    return undefined
  }
}
