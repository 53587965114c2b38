import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { safeHeaders } from './static-files.ts'
import { NEEDS_HEADER } from '../../shared/contract/chats/attachments.ts'
import { mayUpload } from './access.ts'

/** Receives the bytes of an announced file. `text`: why it was refused; `needs`: what would help. */
export type ReceiveUpload = (
  id: string,
  body: Readable,
  length: number,
) => Promise<{ ok: true } | { ok: false; text: string; needs?: 'password' }>

type Gate = { port: number; token: string; receive: ReceiveUpload; report: (error: unknown) => void }

/** An upload without data for this long is aborted, in ms. */
const silenceMs = 60_000
/** How long a refused page may keep sending, so that it gets the answer, in ms. */
const lingerMs = 2_000

/** Return whether a request is an upload. */
export const isUpload = ({ method, url }: IncomingMessage): boolean =>
  method === 'PUT' && (url ?? '').startsWith('/upload/')

/**
 * Receive a file that one of our pages sends as the body of `PUT /upload/<id>`, streamed, never whole in
 * memory. Answers 204, or the reason for the refusal with a header that says what would help. Never rejects.
 */
export async function takeUpload(
  { port, token, receive, report }: Gate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, text: string, needs?: string) => {
    // The page may be gone, or its upload was cancelled.
    if (response.destroyed) return
    response.writeHead(status, {
      ...safeHeaders,
      'content-type': 'text/plain; charset=utf-8',
      ...(needs !== undefined && { [NEEDS_HEADER]: needs }),
    })
    response.end(status === 204 ? undefined : `${text}\n`)
    if (!request.complete) endSoon(request)
  }
  try {
    if (!mayUpload(request, { port, token }))
      return answer(403, 'Only a page of this Talaria may send files.')
    const id = /^\/upload\/([\w-]{1,100})$/.exec(request.url ?? '')?.[1]
    if (id === undefined) return answer(404, 'Not found.')
    const length = request.headers['content-length']
    if (length === undefined) return answer(411, 'The length of the file is missing.')
    request.setTimeout(silenceMs, () => request.destroy())
    const received = await receive(id, request, Number(length))
    if (received.ok) answer(204, '')
    else answer(409, received.text, received.needs)
  } catch (error) {
    report(error)
    if (response.headersSent) response.destroy()
    else answer(500, 'Something went wrong in the host.')
  }
}

/** Discard the rest of the body for a moment: closing while the page sends would lose the answer. */
function endSoon(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), lingerMs)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
  request.resume()
}
