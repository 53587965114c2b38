import { expect, test } from 'vitest'
import { orderAsStatement } from './order-as-statement.ts'

test.for([
  ['Always respond concisely.', 'Prefers concise answers.'],
  ['Always answer in German', 'Prefers answers in German.'],
  ['Please reply politely and briefly', 'Prefers polite and brief answers.'],
  ['Be brief and direct', 'Prefers brief and direct answers.'],
  ['Don’t be verbose', 'Does not want verbose answers.'],
  ['Keep your answers short.', 'Prefers short answers.'],
  ['Call me Al.', 'Wants to be called Al.'],
  ['Prefer tabs over spaces', 'Prefers tabs over spaces.'],
  ['Avoid jargon.', 'Prefers answers without jargon.'],
  ['Never deploy on Fridays!', 'Does not want the agent to deploy on Fridays.'],
  ['You must always cite sources.', 'Wants the agent to cite sources.'],
  ['Ask me before I leave', 'Wants the agent to ask them before they leave.'],
  ['Answer fully', 'Wants the agent to answer fully.'],
  [
    'Always respond concisely. Lives in Bern.\nNever use emojis.',
    'Prefers concise answers. Lives in Bern. Does not want the agent to use emojis.',
  ],
] as const)('“%s” says that the user … “%s”', ([order, statement]) => {
  expect(orderAsStatement(order, 'user')).toBe(statement)
  // What is proposed is accepted.
  expect(orderAsStatement(statement, 'user')).toBeUndefined()
})

test('a note names the user, because its file is not about them', () => {
  expect(orderAsStatement('Always run the tests.', 'memory')).toBe(
    'The user wants the agent to run the tests.',
  )
})

test.for([
  'Always uses pnpm.',
  'Never eats meat.',
  'Never on Sundays',
  'Prefers concise answers.',
  'Uses pnpm, never npm.',
  'Answer length is a matter of taste',
  'Use cases live in docs/',
  'Work address is in Bern',
  'Keep: the notes app',
  'Add-ons are in /opt',
  'Build with make',
  'User says: Always answer in French.',
  'Test server is at 10.0.0.5',
  'Python 3.12 project',
  '',
])('“%s” is no order', text => {
  expect(orderAsStatement(text, 'user')).toBeUndefined()
})
