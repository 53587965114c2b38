import { createTextStrategy, type TextOptions } from '../../src/main/agent/strategies/text.ts'
import { callableSpecs } from '../../src/main/mcp/chats/chat-tools.ts'
import { type namedTools } from '../../src/main/mcp/chats/named-tools.ts'
import { formatOf } from '../../src/main/models/formats/format-table.ts'
import type { CompletionEvent } from '../../src/main/models/interface/engine.ts'
import { randomModel } from '../gguf/cached.ts'
import { ask, open } from '../models/local-loaded.ts'
import { object } from './hard-schemas.ts'

const options: TextOptions = { format: 'hermes', toolRole: true, edition: 'compact' }
const USE_TOOL = {
  name: 'use_tool',
  description: 'Call a tool that find_tool found.',
  parameters: object({ name: { type: 'string' }, arguments: { type: 'object' } }, ['name']),
}
/**
 * Maximum tokens of a reply: random weights sometimes write endless text. A reply that is cut off makes no
 * call.
 */
const MOST_TOKENS = 250

/** The results of the calls written by random weights. */
export type RandomCalls = { calls: number; unfinished: number; tools: number; wrong: string[] }

/**
 * Make a model with random weights call each of these tools in turn, until there are `count` calls: through
 * the strategy, the grammar, the local engine and its tokenizer, the reader of replies, and the check before
 * a server is called.
 */
export async function randomCalls(tools: ReturnType<typeof namedTools>, count: number): Promise<RandomCalls> {
  const strategy = createTextStrategy(options)
  const format = formatOf(options.format)
  const loaded = await open(randomModel({ preset: 'tiny' }))
  const called = new Set<string>()
  const told: RandomCalls = { calls: 0, unfinished: 0, tools: 0, wrong: [] }
  for (let seed = 0; told.calls < count && seed < count * 10; seed++) {
    const tool = tools[seed % tools.length]!
    const answer = await ask(
      loaded,
      {
        begin: format.open,
        constraints: strategy.constrain(callableSpecs([USE_TOOL], [tool])),
        sampling: { temperature: 1, topK: 0, topP: 1, minP: 0, seed },
        maxTokens: MOST_TOKENS,
      },
      format.close.trim(),
    )
    if (!answer.text.includes(format.close.trim())) {
      told.unfinished++
      continue
    }
    const [call, ...more] = await readCalls(answer.text)
    const problem =
      call?.type !== 'call' ||
      call.call.name !== 'use_tool' ||
      more.length > 0 ||
      call.call.arguments['name'] !== tool.called
        ? 'It is no call of that tool.'
        : tool.tool.problemOf(call.call.arguments['arguments'])
    told.calls++
    called.add(tool.called)
    if (problem !== undefined) told.wrong.push(`${answer.text}: ${problem}`)
  }
  await loaded.close()
  return { ...told, tools: called.size }

  async function readCalls(text: string) {
    async function* written(): AsyncGenerator<CompletionEvent> {
      yield { type: 'text', text }
    }
    const events = []
    for await (const event of strategy.read(written(), [USE_TOOL])) events.push(event)
    return events.filter(event => event.type !== 'done')
  }
}
