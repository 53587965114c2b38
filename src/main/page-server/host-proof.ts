import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isOurPage } from './access.ts'
import type { EntryCodes } from './entry-codes.ts'
import { safeHeaders } from './static-files.ts'

/** Maximum size of a body in bytes: a page sends 22 letters, and 44 more for a code. */
const MAX_BODY_BYTES = 120

/** Return whether a page asks if this is the host that it knows. */
export const isProof = ({ method, url }: IncomingMessage): boolean => method === 'POST' && url === '/known'

/** A random text, and the hash of a code if a page asks for proof about that code. */
const QUESTION = /^[\w-]{16,64}(?:\.(?<hash>[\w-]{43}))?$/

/**
 * Answer `POST /known`, whose body is a random text, with proof that this host knows the token: its HMAC of
 * the text and our port. A page asks before it shows its token, because the port may have passed to another
 * program. The port in the proof prevents that program from relaying an answer of ours. If the hash of a code
 * follows the text, the proof is that this host made the code, and the page asks before it shows the code.
 * Never rejects.
 */
export async function answerProof(
  {
    port,
    token,
    codes,
    report,
  }: { port: number; token: string; codes: EntryCodes; report: (error: unknown) => void },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, text: string) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
    response.writeHead(status, { ...safeHeaders, ...headers, connection: 'close' })
    response.end(text)
  }
  try {
    if (!isOurPage(request, port)) return answer(403, 'Only a page of this Talaria may ask.\n')
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) {
      body += chunk as string
      if (body.length > MAX_BODY_BYTES) return answer(413, 'This is too long.\n')
    }
    const question = QUESTION.exec(body)
    if (!question) return answer(400, 'This is not a random text.\n')
    const hash = question.groups?.['hash']
    const key = hash === undefined ? token : codes.keyOf(hash)
    if (key === undefined) return answer(403, 'This address was used before, or is too old.\n')
    answer(200, createHmac('sha256', key).update(`${body}:${port}`).digest('base64url'))
  } catch (error) {
    // A page that leaves early is not our error.
    if (request.destroyed && !request.complete) return
    report(error)
    if (response.headersSent) response.destroy()
    else answer(500, 'Something went wrong in the host.\n')
  }
}
