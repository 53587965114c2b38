import { expect, test } from 'vitest'
import type { Message } from '../../../shared/contract/messages.ts'
import { aPrompt } from '../../../../testing/agent/a-prompt.ts'
import { ownSentences } from '../own-sections.ts'
import { isEchoOf } from './echo.ts'

const spec = (name: string) => ({ name, description: '', parameters: {} })
const system = await aPrompt({
  tools: [spec('memory'), spec('skill_view')],
  workspace: '/home/vera/desk',
  day: '2026-11-29',
  more: { 400: '## About the user\nThe user is called Vera and lives in Graz with two cats.' },
})
const asked = (text: string): Message[] => [{ id: 1, role: 'user', sessionId: 's', at: 0, text }]
const isEcho = (answer: string, question: string) => isEchoOf(ownSentences(system), answer, asked(question))

// What SmolLM2-135M-Instruct answered to “hey” is the first of them.
test.for([
  ['Today is 2026-11-29. The working folder is /home/vera/desk.', 'hey'],
  [
    'Answer from what a tool returned, never from what you expect it to return.\n- When a call fails, read the reason and change something before you try again.',
    'Hi! What can you do?',
  ],
  ['You have tools. Use one when the answer is on the computer; otherwise just answer.', 'I am bored'],
] as const)('sentences of the prompt alone are no answer: %s', ([answer, question]) => {
  expect(isEcho(answer, question)).toBe(true)
})

test.for([
  ['the day, where it was asked for', 'Today is 2026-11-29.', 'What day is it?'],
  ['the folder', 'The working folder is /home/vera/desk.', 'Where am I?'],
  ['the instructions', 'When a call fails, read the reason and change something.', 'What were you told?'],
  ['what is remembered', 'The user is called Vera and lives in Graz with two cats.', 'Tell me about me'],
  [
    'an answer of its own that uses such words',
    'Use a spoon when the soup is hot; otherwise just drink it from the bowl, and answer the phone later.',
    'How do I eat soup?',
  ],
  ['a short one', 'You have tools.', 'hey'],
] as const)('%s may be said', ([, answer, question]) => {
  expect(isEcho(answer, question)).toBe(false)
})
