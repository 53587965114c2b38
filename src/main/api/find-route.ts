import { ApiProblem } from './api-request.ts'

/** A route of this server. */
export type Route =
  | { name: 'health' | 'models' | 'chat' | 'responses' | 'messages' | 'count' | 'embeddings' }
  | { name: 'model'; id: string }

const POSTED: Readonly<Record<string, Exclude<Route['name'], 'model'>>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'responses',
  '/v1/messages': 'messages',
  '/v1/messages/count_tokens': 'count',
  '/v1/embeddings': 'embeddings',
}

/** Return the path of an address without its query. Programs that use us as a proxy send a whole address. */
export const pathOf = (url: string): string =>
  url
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/(?<=[^/])\/+$|(?<=^\/)\/+$/, '')

/** Find the route of a request. Throws an `ApiProblem` if there is none, with the intended route if known. */
export function findRoute(method: string, path: string): Route {
  const isRead = method === 'GET' || method === 'HEAD'
  const posted = Object.hasOwn(POSTED, path) ? POSTED[path] : undefined
  const id = /^\/v1\/models\/(.+)$/.exec(path)?.[1]
  const read: Route | undefined =
    path === '/health' || path === '/v1/health'
      ? { name: 'health' }
      : path === '/v1/models'
        ? { name: 'models' }
        : id !== undefined
          ? { name: 'model', id: decoded(id) }
          : undefined
  if (isRead && read) return read
  if (method === 'POST' && posted) return { name: posted }
  if (read || posted)
    throw new ApiProblem(405, 'wrong_method', `${path.slice(0, 200)} takes ${posted ? 'POST' : 'GET'} only.`)
  throw new ApiProblem(404, 'not_found', explainMissing(path.slice(0, 200)))
}

/** Return the methods of a path, for `Allow`. */
export const methodsOf = (path: string): string =>
  Object.hasOwn(POSTED, path) ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS'

function explainMissing(path: string): string {
  const nothing = `There is nothing at ${path}.`
  if (path.startsWith('/api/'))
    return `${nothing} This server does not speak Ollama’s own protocol. Choose “OpenAI-compatible” in the program, with an address that ends in /v1.`
  if (path.startsWith('/v1/v1/'))
    return `${nothing} The address has /v1 twice. Programs made for Anthropic need it without /v1 at the end.`
  if (path === '/v1/completions')
    return `${nothing} Continuing a bare text is not offered; /v1/chat/completions is.`
  if (/^\/(?:chat\/completions|completions|models|responses|embeddings|messages)\b/.test(path))
    return `${nothing} The address of this server ends in /v1.`
  return nothing
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
