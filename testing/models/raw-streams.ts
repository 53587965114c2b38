import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import type { CompletionEvent } from '../../src/main/models/interface/engine.ts'
import { structuredStrategy } from '../../src/main/agent/strategies/structured.ts'

/** A stream as some server writes it, and the expected result: text, calls, thoughts or a failure. */
const OddStream = z.strictObject({
  name: z.string(),
  type: z.string().default('text/event-stream'),
  /** Whether the connection breaks after the stream. */
  cut: z.boolean().default(false),
  /** Bytes per packet. */
  packet: z.number().optional(),
  stream: z.string(),
  expect: z.strictObject({
    text: z.string().default(''),
    reasoning: z.string().default(''),
    /** Null: the arguments cannot be read. */
    calls: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown()).nullable()])).default([]),
    failure: z.string().default(''),
    /** Words of the server that the failure message repeats. */
    says: z.string().default(''),
  }),
})
export type OddStream = z.infer<typeof OddStream>

/** The tools that are offered with each request. */
export const TOOLS = [
  {
    name: 'read_file',
    description: 'Read a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
]

/** The cases of a file with one JSON object per line. */
export const readStreams = (file: URL): OddStream[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => OddStream.parse(JSON.parse(line)))

/** A server that sends the bytes of a case to every request, whatever was asked. */
export function setUpRawServer() {
  const context = { baseUrl: '', answer: undefined as OddStream | undefined }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { type, cut, packet, stream } = context.answer!
      response.writeHead(200, { 'content-type': type })
      const bytes = Buffer.from(stream)
      const size = packet ?? (bytes.length || 1)
      for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size))
      if (cut) response.write('', () => setTimeout(() => response.destroy(), 30))
      else response.end()
    })
  })
  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    context.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return context
}

/** The result of an answer for a chat, in the form of `expect`; `says` is the whole text of the failure. */
export async function readAs(events: AsyncIterable<CompletionEvent>): Promise<OddStream['expect']> {
  const found: OddStream['expect'] = { text: '', reasoning: '', calls: [], failure: '', says: '' }
  for await (const event of structuredStrategy.read(events, TOOLS)) {
    if (event.type === 'text') found.text += event.text
    else if (event.type === 'reasoning') found.reasoning += event.text
    else if (event.type === 'call') found.calls.push([event.call.name, event.call.arguments])
    else if (event.type === 'bad_call') found.calls.push([event.call.name, null])
    else if (event.type === 'failed') Object.assign(found, { failure: event.code, says: event.text })
  }
  return found
}
