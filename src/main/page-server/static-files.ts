import type { IncomingMessage, ServerResponse } from 'node:http'
import { CSP } from '../lib/csp.ts'
import { readPageFile } from '../lib/built-page.ts'
import { isOurHost } from './access.ts'

/** Headers of every response. */
export const safeHeaders = {
  'content-security-policy': CSP,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const notBuilt = 'The window has not been built. Run: npm run build'

type Site = { root: string; port: number; report: (error: unknown) => void }

/** Serve a file of the built window, and nothing outside its folder. Never rejects. */
export async function answerWithFile(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, text: string, headers = {}) => {
    response.writeHead(status, { ...safeHeaders, 'content-type': 'text/plain; charset=utf-8', ...headers })
    response.end(`${text}\n`)
  }
  try {
    if (!isOurHost(request.headers.host, site.port))
      return refuse(403, 'Talaria answers only under its own address.')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD', connection: 'close' })
    const target = request.url ?? ''
    const file = await readPageFile(site.root, target)
    if (!file) return refuse(404, isStart(target) ? notBuilt : 'Not found.')
    response.writeHead(200, {
      ...safeHeaders,
      'content-type': file.type,
      'content-length': file.body.length,
      'cache-control': isHashed(file.path) ? 'private, max-age=31536000, immutable' : 'no-cache',
    })
    response.end(request.method === 'HEAD' ? undefined : file.body)
  } catch (error) {
    site.report(error)
    if (response.headersSent) response.destroy()
    else refuse(500, 'Something went wrong in the host.')
  }
}

const isStart = (target: string) => /^\/(index\.html)?([?#]|$)/.test(target)

/** Vite puts a content hash into the names of immutable files: `assets/index-B3xk9_Qz.js`. */
const isHashed = (path: string) => /^\/assets\/.+-[\w-]{8}\.\w+$/.test(path)
