import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { linePage, makePdf } from '../../../testing/documents/make-pdf.ts'
import { scriptedModel } from '../../../testing/gguf/cached.ts'
import { aHome, aHost, ONE_THREAD, turn } from '../../../testing/host/a-host.ts'
import { readFileTool } from '../tools/files/read-file.ts'
import type { RunEvent } from '../../shared/contract/runs/run.ts'

const WORDS = 'heron reeds water morning fish stone river bridge winter boat'.split(' ')
/** A report of 30 different pages. */
const report = makePdf(
  Array.from({ length: 30 }, (_, page) =>
    linePage(Array.from({ length: 5 }, (_, at) => `${WORDS[(page + at * 3) % 10]} ${page * at}`).join(' ')),
  ),
)

const usagesOf = (events: readonly RunEvent[]) =>
  events.flatMap(event => (event.type === 'context_usage' ? [event.usage] : []))

/** A local model that reads a file when asked, with a context window that fits the report. */
async function aReader(home: string) {
  writeFileSync(join(home, 'config.yaml'), `${ONE_THREAD}  context_tokens: 32768\n`)
  const folder = join(home, 'workspace', 'desk')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'report.pdf'), report)
  const host = await aHost(home, { tools: [readFileTool()] })
  const path = scriptedModel({
    reply: 'So it is.',
    contextTokens: 32_768,
    rules: [
      {
        when: 'open the report',
        reply: '<tool_call>\n{"name": "read_file", "arguments": {"path": "report.pdf"}}\n</tool_call>',
      },
      { when: 'this is the text of a PDF', reply: 'It tells of a heron.' },
    ],
  })
  const { id: sessionId } = await host.client['session.create']({ modelId: `file:${path}` })
  await host.client['session.update']({ id: sessionId, workspace: folder })
  return { host, sessionId, folder }
}

test('after an attached document of 30 pages, the next turn evaluates only what is new', async () => {
  using home = aHome()
  const { host, sessionId, folder } = await aReader(home.path)
  await using _host = host
  const { client } = host
  const from = { kind: 'path' as const, path: join(folder, 'report.pdf') }
  const file = await client['attachment.add']({ sessionId, from })
  expect(file).toMatchObject({ kind: 'pdf', pages: 30, use: 'whole', fits: true })
  const { runId } = await client['chat.send']({
    sessionId,
    text: 'What is it about?',
    attachments: [file.hash],
  })
  const events: RunEvent[] = []
  for await (const event of client['run.watch']({ runId })) events.push(event)
  const first = usagesOf(events).at(-1)!
  const second = usagesOf(await turn(host, sessionId, 'And then?')).at(-1)!
  expect(first.promptTokens).toBeGreaterThan(file.tokens ?? 0)
  expect(second.reusedTokens).toBe(first.promptTokens + first.outputTokens)
  expect(second.evaluatedTokens).toBeLessThan(60)
})

test('after a document of 30 pages was read with a tool, the next turns evaluate only what is new', async () => {
  using home = aHome()
  const { host, sessionId } = await aReader(home.path)
  await using _host = host
  const [asked, read] = usagesOf(await turn(host, sessionId, 'Please open the report'))
  const next = usagesOf(await turn(host, sessionId, 'And then?')).at(-1)!
  expect(read!.reusedTokens).toBe(asked!.promptTokens + asked!.outputTokens)
  expect(next.reusedTokens).toBe(read!.promptTokens + read!.outputTokens)
  expect(next.evaluatedTokens).toBeLessThan(60)
})
