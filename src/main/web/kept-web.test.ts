import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openKeptWeb, type KeptPage, pageInChat } from './kept-web.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import { frameStrangersText, pageSource } from '../untrusted/strangers-text.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const page = (letters: number): KeptPage => ({
  address: 'https://a.example/',
  title: 'A',
  markdown: 'x'.repeat(letters),
  hidden: [],
  problems: [],
  readAt: 0,
})

test('the oldest pages go when all of them together take too much room', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-web-'))
  folders.push(folder)
  const kept = openKeptWeb({
    folder,
    isReadOnly: false,
    now: () => 0,
    report: error => expect.fail(String(error)),
  })
  const ids: string[] = []
  for (let number = 0; number < 4; number++)
    ids.push(await kept.keepPage(`https://a.example/${number}`, page(16_000_000)))
  expect(await kept.pageOf(ids[0]!)).toBeUndefined()
  expect((await kept.pageOf(ids[3]!))?.title).toBe('A')
  expect(readdirSync(folder)).toHaveLength(3)
  kept.close()
})

const chatPage = {
  title: 'Tides',
  address: 'https://tides.example/a',
  n: 1,
  pageId: 'page_1',
  date: '2026-05-01',
}
const readAs = (id: number, part: string): Message => ({
  role: 'tool',
  id,
  sessionId: 's',
  at: id,
  callId: `call_${id}`,
  name: 'web_read',
  ok: true,
  text: `[1] https://tides.example/a, page ${id} of 2.\n${frameStrangersText(pageSource('tides.example'), `Title: Tides\nDate: 2026-05-01\n\n${part}`)}`,
  durationMs: 1,
  record: { decision: 'ran', by: 'policy', web: { pages: [chatPage] } },
})

test('a page that is not kept any more is put together from the parts that the chat has, without what the result says of it', () => {
  const messages = [
    readAs(1, '# First\n\nTitle: stays'),
    readAs(1, '# First\n\nTitle: stays'),
    readAs(2, 'Second.'),
  ]
  expect(pageInChat(messages, 'page_1')).toEqual({
    title: 'Tides',
    address: 'https://tides.example/a',
    date: '2026-05-01',
    readAt: 1,
    markdown: '# First\n\nTitle: stays\n\nSecond.',
    hidden: [],
    fromChat: true,
  })
  expect(pageInChat(messages, 'page_2')).toBeUndefined()
})
