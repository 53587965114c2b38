import { expect, test } from 'vitest'
import type { Conversation } from './conversation.ts'
import { ownWords } from './own-words.ts'

const conversation = (asked: string, answered: string): Conversation => ({
  id: 'a',
  task: 'a',
  messages: [
    { role: 'user', text: asked },
    { role: 'assistant', text: answered, target: true },
    { role: 'user', text: 'Later I said lasting.' },
  ],
})

test('words that right replies have often, and that stand nowhere before them, are the model’s own', () => {
  const often = Array.from({ length: 4 }, () => conversation('I live in Oslo', 'User lives in Oslo\\nnow'))
  const once = [conversation('hello', 'rare')]
  expect(ownWords([...often, ...once])).toEqual(['lives', 'now', 'user'])
})
