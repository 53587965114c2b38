import { expect, test } from 'vitest'
import { aPrompt, anError, collect, never, setUpServer, TOOL } from '../../../../../testing/models/openai.ts'
import type { Usage } from '../../../../shared/contract/chats/messages.ts'
import type { WireMessage } from '../../interface/engine.ts'

const given = setUpServer()

type Sent = { role: string; content: string | null | { text: string; cache_control?: unknown }[] }

const marksOf = (messages: Sent[]) =>
  messages.flatMap(({ content }, at) => (Array.isArray(content) && content[0]?.cache_control ? [at] : []))
const plain = (messages: Sent[]) =>
  messages.map(({ content, ...rest }) => ({
    ...rest,
    content: Array.isArray(content) ? content[0]!.text : content,
  }))

/** A gateway to Anthropic. It caches the prefix at each mark, and finds it at or before later marks. */
function aGateway() {
  const cached = new Set<string>()
  return ({ body }: { body: { messages: Sent[] } }) => {
    const { messages } = body
    const prefixes = messages.map((_, at) => JSON.stringify(plain(messages.slice(0, at + 1))))
    const read = prefixes.findLast(prefix => cached.has(prefix))?.length ?? 0
    for (const at of marksOf(messages)) cached.add(prefixes[at]!)
    const prompt_tokens = JSON.stringify(plain(messages)).length
    const prompt_tokens_details = { cached_tokens: read }
    return { text: 'Done.', usage: { prompt_tokens, completion_tokens: 2, prompt_tokens_details } }
  }
}

test('the system prompt and the last three messages are marked, and what was read from the cache is booked', async () => {
  const engine = given.anEngine({ cacheTtl: '5m' })
  const messages: WireMessage[] = [{ role: 'system', text: 'You are Talaria. '.repeat(40) }]
  const usages: Usage[] = []
  given.server.reply(aGateway())
  const ask = async () => {
    const events = await collect(engine.complete(aPrompt({ messages, tools: [TOOL] }), never))
    for (const event of events) if (event.type === 'done') usages.push(event.usage)
  }
  for (let turn = 1; turn <= 6; turn++) {
    messages.push({ role: 'user', text: `Question ${turn}?` })
    if (turn % 2 === 0) {
      const calls = ['a', 'b'].map(name => ({
        id: `call0000${name}`,
        name: 'list_files',
        arguments: { path: name },
      }))
      messages.push({ role: 'assistant', text: '', calls })
      for (const { id } of calls) messages.push({ role: 'tool', callId: id, text: `Files of ${id}.` })
    }
    await ask()
    messages.push({ role: 'assistant', text: `Answer ${turn}.` })
  }
  const bodies = given.server.chats().map(({ body }) => body.messages as Sent[])
  // Of two results only the last is marked, and a reply of calls alone can carry no mark.
  expect(bodies.map(marksOf)).toEqual([
    [0, 1],
    [0, 2, 3, 6],
    [0, 6, 7, 8],
    [0, 9, 10, 13],
    [0, 13, 14, 15],
    [0, 16, 17, 20],
  ])
  expect(bodies[0]![0]!.content).toEqual([
    { type: 'text', text: messages[0]!.text, cache_control: { type: 'ephemeral' } },
  ])
  expect(usages[0]?.reusedTokens).toBe(0)
  for (const { reusedTokens, promptTokens, evaluatedTokens } of usages.slice(1)) {
    expect(reusedTokens / promptTokens).toBeGreaterThan(0.5)
    expect(reusedTokens + evaluatedTokens).toBe(promptTokens)
  }
})

test('marks are sent only when asked for, and no more after a refusal', async () => {
  const marked = () => given.server.chats().map(({ body }) => marksOf(body.messages).length)
  given.server.reply({ text: 'Hi.' })
  await collect(given.anEngine().complete(aPrompt(), never))
  const engine = given.anEngine({ cacheTtl: '1h' })
  const body = anError('messages.0.content.0.cache_control: Extra inputs are not permitted')
  given.server.reply({ status: 400, body }, { text: 'Hi.' })
  for (let n = 0; n < 2; n++) await collect(engine.complete(aPrompt(), never))
  expect(marked()).toEqual([0, 1, 0, 0])
})
