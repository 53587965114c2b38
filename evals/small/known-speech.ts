import { isFixedSentence } from '../../src/main/builtin/answers/fixed-sentences.ts'
import { isGuideSentence } from '../../src/main/builtin/guide/guide-sentences.ts'
import { askUserTool } from '../../src/main/tools/ask-user.ts'
import { tellResult, tellResults } from '../../src/main/tools/tell/tell-result.ts'
import { openProduct } from '../../training/generate/product.ts'
import type { Heard } from './ask-host.ts'

/** The parts of the product that say their own sentences in chats with the built-in model. */
const SPEAKERS: readonly ((text: string) => boolean)[] = [isFixedSentence, isGuideSentence]

const { registry } = openProduct()
const toolNamed = (name: string) => (name === askUserTool.name ? askUserTool : registry.get(name))

/**
 * Whether an answer only contains what tools say about the chat's results, fixed sentences and what is
 * remembered, in any order. The texts of a tool must be complete and on separate lines.
 */
export function isKnownSpeech(answer: string, heard: Pick<Heard, 'messages' | 'entries'>): boolean {
  let rest = inLines(answer)
  const known = [...tellAll(heard), ...heard.entries].map(text => text.trim()).filter(Boolean)
  for (const text of known.toSorted((a, b) => b.length - a.length))
    rest = rest.replaceAll(inLines(text), '\n\n\n')
  rest = rest.trim()
  return rest === '' || isSpoken(rest) || rest.split(/\n\s*\n/).every(part => isSpoken(part.trim()))
}

const inLines = (text: string): string => `\n${text.trim()}\n`

const isSpoken = (text: string): boolean =>
  SPEAKERS.some(says => says(text)) ||
  text.split('\n').every(line => SPEAKERS.some(says => says(line.trim())))

/** What the tools say about the results in a chat: about each one, and about several in a row. */
function tellAll({ messages }: Pick<Heard, 'messages'>): string[] {
  const calls = messages.flatMap(message => (message.role === 'assistant' ? message.calls : []))
  const results = messages.flatMap(message => {
    if (message.role !== 'tool') return []
    const given = calls.find(({ id }) => id === message.callId)?.arguments ?? {}
    const valid = registry.get(message.name) && registry.validate(message.name, given)
    return [
      {
        tool: toolNamed(message.name),
        result: message,
        input: given,
        checked: valid?.ok ? valid.value : given,
      },
    ]
  })
  const each = results.flatMap(({ tool, result, input, checked }) =>
    [input, checked].map(read => tellResult(tool, read, result)),
  )
  const several = results.flatMap((_, from) =>
    results.map((__, to) => tellResults(results.slice(from, to + 1))),
  )
  return [...each, ...several]
}
