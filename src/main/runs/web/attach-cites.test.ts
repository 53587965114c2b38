import { expect, test } from 'vitest'
import type { Message, NewMessage } from '../../../shared/contract/chats/messages.ts'
import type { UsedPage } from '../../../shared/contract/connections/web.ts'
import type { TurnPorts } from '../../agent/turn-types.ts'
import { attachCites } from './attach-cites.ts'

const common = { sessionId: 's', at: 0 }
const answer = (text: string, calls = 0): NewMessage & { role: 'assistant' } => ({
  ...common,
  role: 'assistant',
  text,
  reasoning: '',
  calls: Array.from({ length: calls }, (_, at) => ({ id: `c${at}`, name: 'web_read', arguments: {} })),
  interrupted: false,
  model: 'm',
})
const result = (...pages: UsedPage[]): NewMessage => ({
  ...common,
  role: 'tool',
  callId: 'c0',
  name: 'web_read',
  ok: true,
  text: '',
  durationMs: 1,
  record: { decision: 'ran', web: { pages } },
})
const moon = { n: 1, title: 'The Moon', address: 'https://example.org/moon' }
const tide = { n: 2, title: 'Tides', address: 'https://example.org/tides', pageId: 'p2' }

/** The pages that each appended answer carries, in a chat with these messages. */
async function citesOf(earlier: readonly NewMessage[], appended: readonly NewMessage[]) {
  const stored: Message[] = []
  const ports = {
    history: async () => earlier.map((message, id) => ({ ...message, id })),
    append(message: NewMessage) {
      stored.push({ ...message, id: stored.length })
      return stored.at(-1)!
    },
  } as unknown as TurnPorts
  const cited = attachCites(ports)
  await cited.history(0, 100)
  for (const message of appended) cited.append(message)
  return stored.flatMap(message => (message.role === 'assistant' ? [message.cites?.map(({ n }) => n)] : []))
}

test('an answer carries the pages that it cites, those of earlier turns too, and no others', async () => {
  expect(await citesOf([result(moon, tide)], [answer('So it is [2], not [7].')])).toEqual([[2]])
  expect(await citesOf([result(moon)], [answer('Nothing is cited.')])).toEqual([undefined])
})

test('a closing answer that cites nothing carries what was read for it, but not what was only found', async () => {
  const appended = [answer('', 1), result(moon, tide), answer('It is high at noon.')]
  expect(await citesOf([], appended)).toEqual([undefined, [2]])
  expect(await citesOf([], [answer('', 1), result(moon), answer('I found nothing.')])).toEqual([
    undefined,
    undefined,
  ])
})
