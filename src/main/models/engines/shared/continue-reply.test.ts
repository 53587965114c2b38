import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CompletionEvent } from '../../interface/engine.ts'
import { done } from '../../../../../testing/agent/messages.ts'
import { continueReply } from './continue-reply.ts'

/** Join a text with its continuation, which arrives in these pieces. */
async function join(before: string, ...pieces: string[]): Promise<string> {
  async function* complete(): AsyncGenerator<CompletionEvent> {
    for (const text of pieces) yield { type: 'text', text }
    yield done
  }
  const prompt = { sessionId: 's', messages: [], tools: [], written: before }
  let joined = before
  for await (const event of continueReply(complete, prompt, new AbortController().signal))
    if (event.type === 'text') joined += event.text
  return joined
}

test.for([
  ['a new sentence', 'It is so.', [' And', ' more.'], 'It is so. And more.'],
  ['two words without a blank', 'It is', ['grey.'], 'It is grey.'],
  ['a blank on both sides', 'It is ', [' grey.'], 'It is grey.'],
  ['a half word that is written whole', 'An exam', ['example', ' of it.'], 'An example of it.'],
  ['the last words once more', 'One, two, three', ['two', ', three, ', 'four'], 'One, two, three, four'],
  ['the whole answer once more', 'One. Two.', ['One. ', 'Two. Thr', 'ee.'], 'One. Two. Three.'],
  ['the last line once more', '- one\n- two\n', ['- two\n', '- three'], '- one\n- two\n- three'],
  ['nothing but a repetition', 'One. Two.', ['Two.'], 'One. Two.'],
  ['a text that occurs before, but not at the end', 'a b c', ['a b', ' d'], 'a b c a b d'],
  ['a beginning within a word', 'exam', ['am I?'], 'exam am I?'],
  ['scripts without blanks', '你好世界', ['世界', '和平'], '你好世界和平'],
  ['a paragraph', 'One.', ['\n\n', 'Two.'], 'One.\n\nTwo.'],
  ['nothing', 'One.', [], 'One.'],
] as const)('%s', async ([, before, pieces, joined]) => {
  expect(await join(before, ...pieces)).toBe(joined)
})

test('however a text arrives, it is joined in the same way, and nothing but what both have in common is lost', async () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'ab', ' ', '\n', '.', '世'), {
    minLength: 1,
    maxLength: 12,
  })
  await fc.assert(
    fc.asyncProperty(text, text, async (first, pieces) => {
      const before = first.join('')
      const after = pieces.join('')
      const joined = await join(before, ...pieces)
      expect(joined).toBe(await join(before, after))
      expect(joined.startsWith(before)).toBe(true)
      const bare = (given: string) => given.replace(/\s/g, '')
      const added = bare(joined).slice(bare(before).length)
      expect(bare(after).endsWith(added)).toBe(true)
      expect(bare(before).endsWith(bare(after).slice(0, bare(after).length - added.length))).toBe(true)
    }),
  )
})
