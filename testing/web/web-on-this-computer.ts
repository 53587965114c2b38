import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { FetchAddress, ReadFetched } from '../../src/main/web/web-parts.ts'

/** One answer of a host of the web. */
export type WebAnswer = { status?: number; type?: string; body: string }
/** A request to a host. */
type WebAsked = { host: string; path: string; headers: IncomingMessage['headers']; body: string }
type Host = (asked: WebAsked) => WebAnswer | Promise<WebAnswer>

/**
 * A web of a few hosts on a local server, with a fetcher: an address of another host fails as if it did not
 * answer. `readFetched` extracts the title of a page, and keeps the rest unchanged.
 */
export async function startWeb(hosts: Readonly<Record<string, Host>>) {
  const asked: WebAsked[] = []
  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const part of request) body += String(part)
      const host = String(request.headers['x-host'])
      const one = { host, path: request.url ?? '/', headers: request.headers, body }
      asked.push(one)
      const { status = 200, type = 'text/html; charset=utf-8', body: text } = await hosts[host]!(one)
      response.writeHead(status, { 'content-type': type }).end(text)
    })()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  const fetchAddress: FetchAddress = async (address, { signal, headers, body }) => {
    const url = new URL(address)
    if (!(url.host in hosts)) return { refused: `${url.host} does not answer.` }
    const response = await fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'x-host': url.host },
      ...(body !== undefined && { body }),
      signal,
    })
    // An answer that is not a page is returned as its status only.
    if (!response.ok) {
      await response.body?.cancel()
      return { refused: `${url.host} answered with an error (${response.status}).`, status: response.status }
    }
    return {
      ok: true,
      address,
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      bytes: new Uint8Array(await response.arrayBuffer()),
      cut: false,
    }
  }

  const readFetched: ReadFetched = async ({ bytes }) => {
    const text = new TextDecoder().decode(bytes)
    return {
      ok: true,
      title: /<title>([^<]*)/.exec(text)?.[1] ?? '',
      date: '2026-05-01',
      markdown: text.replaceAll(/<title>[^<]*<\/title>/g, '').trim(),
      hidden: [],
      problems: [],
    }
  }
  return { fetchAddress, readFetched, asked }
}
