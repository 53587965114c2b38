import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isOurPage } from './access.ts'
import { safeHeaders } from './static-files.ts'

/** Maximum number of unused codes; beyond it the oldest is discarded. */
const MAX_CODES = 50
const MAX_BODY_BYTES = 200
/** Default validity of a code, in ms: time to come back to the terminal that printed it. */
const LIFE_MS = 24 * 60 * 60 * 1_000

/** One-time codes that a page exchanges for the token. Only their hashes are stored. */
export type EntryCodes = {
  /** Create a code, valid once and for `lifeMs` ms, by default a day. */
  make(lifeMs?: number): string
  /** Use up a code. Returns whether it was valid. */
  spend(code: string): boolean
  /** Return a key that only a holder of the unused code with this hash can know; undefined if none. */
  keyOf(hash: string): string | undefined
}

/** Create an empty list of codes; `now` is a clock in ms. */
export function createEntryCodes(now: () => number = Date.now): EntryCodes {
  const waiting = new Map<string, { until: number; key: string }>()
  return {
    make(lifeMs = LIFE_MS) {
      const code = randomBytes(24).toString('base64url')
      waiting.set(hash(code), { until: now() + lifeMs, key: hash(`key:${code}`) })
      for (const oldest of [...waiting.keys()].slice(0, -MAX_CODES)) waiting.delete(oldest)
      return code
    },
    spend(code) {
      const key = hash(code)
      const until = waiting.get(key)?.until ?? 0
      waiting.delete(key)
      return until > now()
    },
    keyOf(hash) {
      const found = waiting.get(hash)
      return found && found.until > now() ? found.key : undefined
    },
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url')

type Gate = { port: number; token: string; codes: EntryCodes; report: (error: unknown) => void }

/** Return whether a request exchanges a code. */
export const isEntry = ({ method, url }: IncomingMessage): boolean => method === 'POST' && url === '/enter'

/** Answer `POST /enter`, whose body is a code, with the token, for our pages only. Never rejects. */
export async function answerEntry(
  { port, token, codes, report }: Gate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, text: string) => {
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    }
    response.writeHead(status, { ...safeHeaders, ...headers })
    response.end(text)
  }
  try {
    if (!isOurPage(request, port)) return answer(403, 'Only a page of this Talaria may enter.\n')
    if (await isOtherUser(request.socket)) return answer(403, 'This Talaria belongs to another user.\n')
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk as string
      if (body.length > MAX_BODY_BYTES) return answer(413, 'This is not a code.\n')
    }
    if (!codes.spend(body)) return answer(403, 'This address was used before, or is too old.\n')
    answer(200, token)
  } catch (error) {
    // A page that leaves early is not our error.
    if (request.destroyed && !request.complete) return
    report(error)
    if (response.headersSent) response.destroy()
    else answer(500, 'Something went wrong in the host.\n')
  }
}

/** The ports of a connection, as this process sees them. */
type Ports = { remotePort?: number | undefined; localPort?: number | undefined }

/**
 * Return whether another user of this computer is at the other end of a loopback connection. Linux reports
 * the owner of a connection; elsewhere, and if it cannot be read, the answer is no. The administrator counts
 * as the user: browser relays for containers or WSL run as root.
 */
export async function isOtherUser(socket: Ports): Promise<boolean> {
  const own = process.getuid?.()
  if (process.platform !== 'linux' || own === undefined) return false
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map(file => readFile(file, 'utf8').catch(() => '')),
  )
  const owner = ownerOf(tables.join('\n'), socket)
  return owner !== undefined && owner !== own && owner !== 0
}

/**
 * Return the user id that owns the connection from `remotePort` to `localPort`, from the kernel's TCP tables.
 * @internal Its test gives the tables of a computer with two users.
 */
export function ownerOf(tables: string, { remotePort = 0, localPort = 0 }: Ports): number | undefined {
  const port = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')
  // Columns: number, local and remote address, state, queues, timer, retransmits, user id. The peer's view.
  const line = new RegExp(
    String.raw`^ *\d+: [\dA-F]+:${port(remotePort)} [\dA-F]+:${port(localPort)} \S+ \S+ \S+ \S+ +(\d+) `,
    'm',
  )
  const found = line.exec(tables)?.[1]
  return found === undefined ? undefined : Number(found)
}
