import { expect, test } from 'vitest'
import { openAiStream } from '../openai/openai-stream.ts'
import { boundLines } from './bound-answer.ts'
import { mendStream } from './mend-stream.ts'

/** Mend a stream that arrives in packets of this many bytes. */
async function mended(text: string, packet = 1_000): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  const packets = Array.from({ length: Math.ceil(bytes.length / packet) }, (_, at) =>
    bytes.slice(at * packet, (at + 1) * packet),
  )
  const body = ReadableStream.from<Uint8Array<ArrayBuffer>>(packets)
  return new Response(body.pipeThrough(boundLines(() => {})).pipeThrough(mendStream(openAiStream))).text()
}

const said = 'data: {"choices":[{"delta":{"content":"Grüezi 你好"}}]}\n\n'

test('the result does not depend on the packets', async () => {
  const stream = `\uFEFF: hi\r\n${said.replaceAll('\n', '\r\n')}${said}{"error":"gone"}\n`
  const whole = await mended(stream)
  expect(whole).toContain('Grüezi 你好')
  for (const packet of [1, 2, 3, 5, 7]) expect(await mended(stream, packet)).toBe(whole)
})

test('an ordinary event is passed on as it came, and what is no JSON too', async () => {
  expect(await mended(said)).toBe(said)
  expect(await mended('data: {"choices": [\n\n')).toBe('data: {"choices": [\n\n')
})

test.for<[what: string, line: string]>([
  ['lines of data that never become JSON', 'data: {\n'],
  ['lines that could each be the end of a text', '{\n}x\n'],
  ['remarks', ': x\n'],
  ['names of events', 'event: x\n'],
])('one stream of %s takes about as long as the same lines in sixteen', async ([, line]) => {
  const timed = async (streams: number, lines: number) => {
    const startedAt = performance.now()
    for (let count = 0; count < streams; count++) await mended(line.repeat(lines), 10_000)
    return performance.now() - startedAt
  }
  await timed(4, 10_000)
  const [apart, together] = [await timed(16, 10_000), await timed(1, 160_000)]
  // Quadratic work would take sixteen times as long.
  expect(together).toBeLessThan(8 * apart)
})
