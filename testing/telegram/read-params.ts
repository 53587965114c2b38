import type { IncomingMessage } from 'node:http'

/** A file that came with a call. */
export type Uploaded = { name: string; bytes: Uint8Array<ArrayBuffer> }

/** The parameters of a bot's call: values by name, and files that values may reference as `attach://…`. */
export type Params = { values: Record<string, unknown>; files: Map<string, Uploaded> }

/** Values that are text even if they look like a number. */
const TEXTS = new Set(['text', 'caption', 'callback_query_id', 'file_id', 'url', 'action', 'parse_mode'])

/** Read the parameters of a bot's call, in any of the four forms that the server accepts. */
export async function readParams(request: IncomingMessage, url: URL): Promise<Params> {
  const body = await readBody(request)
  const type = request.headers['content-type'] ?? ''
  const files = new Map<string, Uploaded>()
  const values = fromTexts(url.searchParams)
  if (body.length === 0) return { values, files }
  if (type.startsWith('application/json')) {
    const sent: unknown = JSON.parse(body.toString())
    return { values: { ...values, ...asRecord(sent) }, files }
  }
  if (type.startsWith('application/x-www-form-urlencoded'))
    return { values: { ...values, ...fromTexts(new URLSearchParams(body.toString())) }, files }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const texts: [string, string][] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') texts.push([name, value])
    else files.set(name, { name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  return { values: { ...values, ...fromTexts(texts) }, files }
}

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

const asRecord = (sent: unknown): Record<string, unknown> =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent)
    ? Object.fromEntries(Object.entries(sent))
    : {}

const fromTexts = (pairs: Iterable<[string, string]>): Record<string, unknown> =>
  Object.fromEntries([...pairs].map(([name, text]) => [name, TEXTS.has(name) ? text : valueOf(text)]))

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
