import { isFixedSentence } from '../../src/main/builtin/answers/fixed-sentences.ts'
import { isGuideSentence } from '../../src/main/builtin/guide/sentences.ts'
import { askUserTool } from '../../src/main/tools/ask-user.ts'
import { tellResult } from '../../src/main/tools/tell-result.ts'
import { openProduct } from '../../training/generate/product.ts'
import type { Heard } from './ask-host.ts'

/** Who says sentences of their own in chats with the built-in model. */
const SPEAKERS: readonly ((text: string) => boolean)[] = [isFixedSentence, isGuideSentence]

const { registry } = openProduct()
const toolNamed = (name: string) => (name === askUserTool.name ? askUserTool : registry.get(name))

/**
 * Whether an answer says only what tools say of the chat's results, fixed sentences and what is remembered, in whatever order. What a
 * tool says must stand in lines of its own, whole.
 */
export function isKnownSpeech(answer: string, heard: Pick<Heard, 'messages' | 'entries'>): boolean {
  let rest = inLines(answer)
  const known = [...tellResults(heard), ...heard.entries].map(text => text.trim()).filter(Boolean)
  for (const text of known.toSorted((a, b) => b.length - a.length))
    rest = rest.replaceAll(inLines(text), '\n\n\n')
  rest = rest.trim()
  return rest === '' || isSpoken(rest) || rest.split(/\n\s*\n/).every(part => isSpoken(part.trim()))
}

const inLines = (text: string): string => `\n${text.trim()}\n`

const isSpoken = (text: string): boolean =>
  SPEAKERS.some(says => says(text)) ||
  text.split('\n').every(line => SPEAKERS.some(says => says(line.trim())))

/** What the tools say of the results in a chat. */
function tellResults({ messages }: Pick<Heard, 'messages'>): string[] {
  const calls = messages.flatMap(message => (message.role === 'assistant' ? message.calls : []))
  return messages.flatMap(message => {
    if (message.role !== 'tool') return []
    const given = calls.find(({ id }) => id === message.callId)?.arguments ?? {}
    const valid = registry.get(message.name) && registry.validate(message.name, given)
    const inputs = valid?.ok ? [given, valid.value] : [given]
    return inputs.map(input => tellResult(toolNamed(message.name), input, message))
  })
}
