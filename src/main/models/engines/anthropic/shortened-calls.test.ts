import { expect, test } from 'vitest'
import { aPrompt, never, setUpServer, TOOL, user } from '../../../../../testing/models/anthropic.ts'
import type { WireMessage } from '../../interface/engine.ts'

const given = setUpServer()

/** A turn in which the model called a tool with a long text, as it is later sent back to the server. */
const afterTheCall: WireMessage[] = [
  user('Read it.'),
  {
    role: 'assistant',
    text: '',
    calls: [{ id: 'ours12345', name: 'read_file', arguments: { path: 'a …' }, ran: { path: 'a long text' } }],
  },
  { role: 'tool', text: 'Content.', callId: 'ours12345' },
]

test('where a call is sent shortened, its thoughts and their signature stay whole and the turn goes on thinking', async () => {
  const engine = given.anEngine({ thinkingTokens: 1_024 })
  const ask = (messages: WireMessage[]) =>
    Array.fromAsync(engine.complete(aPrompt({ messages, tools: [TOOL] }), never))
  given.server.reply(
    {
      content: [
        { thinking: 'First I look.', signature: 'sig-1' },
        { tool: 'read_file', input: { path: 'a long text' } },
      ],
    },
    {},
  )
  await ask([user('Read it.')])
  await ask(afterTheCall)
  const [, body] = given.server.bodies()
  expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: 1_024 })
  expect(body.messages[1].content).toMatchObject([
    { type: 'thinking', thinking: 'First I look.', signature: 'sig-1' },
    { type: 'tool_use', id: 'ours12345', name: 'read_file', input: { path: 'a …' } },
  ])
})
