import { expect, test } from 'vitest'
import type { Message } from '../../shared/contract/messages.ts'
import { frameStrangersText, pageSource } from '../lib/strangers-text.ts'
import { pageInChat } from './page-in-chat.ts'

const page = {
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
  record: { decision: 'ran', by: 'policy', web: { pages: [page] } },
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
