import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomic } from '../lib/disk/durable-files.ts'

/** The file in the home folder, readable for the user only. */
const FILE = 'page-entry.json'
/** How long after the last launch pages can reconnect without a new address, in ms. */
const LIFE_MS = 30 * 24 * 60 * 60 * 1_000
/** Maximum number of earlier ports to serve too. */
const MOST_FORMER = 2

/** How open pages reach a restarted host: their token, and the ports they were opened at, newest first. */
type KeptEntry = { token: string; ports: readonly number[] }

const Entry = z.object({
  token: z.string().regex(/^[\w-]{43}$/),
  ports: z.array(z.int().min(1).max(65_535)).max(1 + MOST_FORMER),
  at: z.number(),
})

/** Return an unguessable token. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Read what the last launch stored for its pages. Without a valid file: a new token and no ports. */
export function readEntry(home: string, now: number): KeptEntry {
  try {
    const { token, ports, at } = Entry.parse(JSON.parse(readFileSync(join(home, FILE), 'utf8')))
    if (at <= now && now - at < LIFE_MS) return { token, ports }
  } catch {
    // Open pages then need a new address.
  }
  return { token: newToken(), ports: [] }
}

/** Store the token and the port of this launch for the next one. */
export function keepEntry(home: string, { token, ports }: KeptEntry, port: number, now: number): void {
  const all = [port, ...ports.filter(each => each !== port)].slice(0, 1 + MOST_FORMER)
  writeAtomic(join(home, FILE), `${JSON.stringify({ token, ports: all, at: now })}\n`, { mode: 0o600 })
}
