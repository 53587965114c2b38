import { expect, test } from 'vitest'
import { aReply } from '../../../../testing/agent/a-turn.ts'
import type { Message, NewMessage } from '../../../shared/contract/chats/messages.ts'
import { isSameAnswer, isEchoOf } from './same-answer.ts'
import { aPrompt } from '../../../../testing/agent/a-prompt.ts'
import { ownSentences } from '../own-sections.ts'

const ask = (text: string): NewMessage => ({ role: 'user', sessionId: 's', at: 0, text })
const chat = (...messages: NewMessage[]): Message[] =>
  messages.map((message, at) => ({ ...message, id: at + 1 }))

const BASIL =
  'I am happy to share a few ways to keep a basil plant alive: give it plenty of light, water it when the soil is dry, and pinch off the flowers so that it goes on making leaves.'
const nearly = BASIL.replace('a few ways', 'some ways')
const before = [ask('How do I keep basil alive?'), aReply(BASIL)]

test.for([
  ['to the letter', BASIL, 'What is my name?'],
  ['with other marks and letters', BASIL.toUpperCase().replaceAll(',', ' –'), 'Where do I live?'],
  ['with a word changed', nearly, 'Give me a short plan for the day'],
] as const)('the same answer to another question is noticed: %s', ([, answer, question]) => {
  expect(isSameAnswer(answer, chat(...before, ask(question)))).toBe(true)
})

// SmolLM2-135M-Instruct answered “Do I drink coffee?” with the first and last sentences of its plan.
const PLAN = [
  'I am so glad to know that you have a wonderful plan for tomorrow, I just want to make sure that you have everything you need for your next big adventure.',
  'I will be visiting some amazing places like Rome, Florence, and Venice, and I love the diversity of the people there, which is why I never want to leave.',
  'I will be working with you every day to create new adventures in Italy, and I hope that someday soon, we can all travel together like me.',
]
const afterPlan = [ask('Give me a short plan for tomorrow.'), aReply(PLAN.join('\n\n'))]

test('pieces of an earlier answer are no answer to another question, but to one about it', () => {
  const pieces = `${PLAN[0]} ${PLAN[2]}`
  expect(isSameAnswer(pieces, chat(...afterPlan, ask('Do I drink coffee?')))).toBe(true)
  expect(isSameAnswer(PLAN[1]!, chat(...afterPlan, ask('Which places will you visit?')))).toBe(false)
})

test('who corrects an answer does not want it again', () => {
  const MINKA =
    'The name of your dog is Minka. She is a very special cat who loves to spend her days exploring her new home in the house with other cats.'
  const asked = [ask('What is my dog called?'), aReply(MINKA)]
  expect(isSameAnswer(MINKA, chat(...asked, ask('No, I said he is 4. How old is he?')))).toBe(true)
  expect(isSameAnswer(MINKA, chat(...asked, ask('No, say it again, please')))).toBe(false)
})

test('an older answer is noticed too', () => {
  const later = [ask('What is the capital of Norway?'), aReply('Oslo.')]
  expect(isSameAnswer(BASIL, chat(...before, ...later, ask('What is my name?')))).toBe(true)
})

const email =
  'Dear Anna, thank you for the invitation to the meeting on Thursday. I am glad to come and I will bring the printed figures. Best wishes, Tom'

test.for([
  ['the same question', BASIL, 'how do I keep my basil alive', before],
  ['a wish to hear it again', BASIL, 'Say that again, please', before],
  ['a wish in German', BASIL, 'Bitte nochmal', before],
  [
    'another answer',
    `${BASIL.slice(0, 40)}. Your name is Vera, and you live in Graz and work there.`,
    'What is my name?',
    before,
  ],
  [
    'a short one',
    'You are welcome. Tell me if you need more.',
    'Thanks',
    [ask('Hi'), aReply('You are welcome. Tell me if you need more.')],
  ],
  [
    'a change that was asked for',
    email.replace('Thursday', 'Friday'),
    'The meeting is on Friday',
    [ask('Write a reply to Anna'), aReply(email)],
  ],
  ['code', `\`\`\`\n${BASIL}\n\`\`\``, 'What is my name?', [ask('Code'), aReply(`\`\`\`\n${BASIL}\n\`\`\``)]],
  ['nothing to compare with', BASIL, 'How do I keep basil alive?', []],
] as const)('not where it may be so: %s', ([, answer, question, earlier]) => {
  expect(isSameAnswer(answer, chat(...earlier, ask(question)))).toBe(false)
})

test('what tools found may be the same as before', () => {
  const call = { id: 'c1', name: 'read_file', arguments: { path: 'basil.txt' } }
  const result: NewMessage = {
    role: 'tool',
    sessionId: 's',
    at: 0,
    callId: 'c1',
    name: 'read_file',
    ok: true,
    text: BASIL,
    durationMs: 1,
    record: { decision: 'ran' },
  }
  const looked = [aReply('', { calls: [call] }), result]
  const earlier = [ask('Read basil.txt'), ...looked, aReply(BASIL)]
  expect(isSameAnswer(BASIL, chat(...earlier, ask('What is my name?')))).toBe(false)
  expect(isSameAnswer(BASIL, chat(...before, ask('Show me basil.txt'), ...looked))).toBe(false)
})

const spec = (name: string) => ({ name, description: '', parameters: {} })
const system = await aPrompt({
  tools: [spec('memory'), spec('skill_view')],
  workspace: '/home/vera/desk',
  day: '2026-11-29',
  more: { 400: '## About the user\nThe user is called Vera and lives in Graz with two cats.' },
})
const asked = (text: string): Message[] => [{ id: 1, role: 'user', sessionId: 's', at: 0, text }]
const isEcho = (answer: string, question: string) => isEchoOf(ownSentences(system), answer, asked(question))

// The first is SmolLM2-135M-Instruct's answer to “hey”.
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
