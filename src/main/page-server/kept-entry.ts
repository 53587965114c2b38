import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomic } from '../lib/disk/durable-files.ts'

/** The file in the home folder, which only the user may read. */
const FILE = 'page-entry.json'
/** After so many days without a start, pages need a new address, in ms. */
const LIFE_MS = 30 * 24 * 60 * 60 * 1_000
/** Earlier ports that are answered too. */
const MOST_FORMER = 2

/** How pages that are open reach a host that starts again: the token that they hold, and the ports at which they were opened, newest first. */
type KeptEntry = { token: string; ports: readonly number[] }

const Entry = z.object({
  token: z.string().regex(/^[\w-]{43}$/),
  ports: z.array(z.int().min(1).max(65_535)).max(1 + MOST_FORMER),
  at: z.number(),
})

/** A token that nobody can guess. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Read what the last launch of a home left for its pages. A missing, broken or old file gives a new token and no ports. */
export function readEntry(home: string, now: number): KeptEntry {
  try {
    const { token, ports, at } = Entry.parse(JSON.parse(readFileSync(join(home, FILE), 'utf8')))
    if (at <= now && now - at < LIFE_MS) return { token, ports }
  } catch {
    // Pages that are open then need a new address, as before.
  }
  return { token: newToken(), ports: [] }
}

/** Keep the token and the port of this launch for the next one. */
export function keepEntry(home: string, { token, ports }: KeptEntry, port: number, now: number): void {
  const all = [port, ...ports.filter(each => each !== port)].slice(0, 1 + MOST_FORMER)
  writeAtomic(join(home, FILE), `${JSON.stringify({ token, ports: all, at: now })}\n`, { mode: 0o600 })
}
