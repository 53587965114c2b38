import { afterAll, expect, test } from 'vitest'
import { resourcePath } from '../../lib/places.ts'
import { model, openEngines, reply, system, user } from './test-setup.ts'

const path = resourcePath('models/talaria-demo.gguf')
const { engines, ask } = openEngines('inline')
afterAll(() => engines.close())

/** The frame that the built-in model was trained on. */
const frame = system(`You are Hermes, a helpful desktop agent with memory and skills.
Today is 2026-07-27.

### User Profile
- User's name is Ada

### Observations
(empty)

## Available Skills
(none)

## Tools
Call a tool like this: <tool_call>{"name":"tool","arguments":{}}</tool_call>
- memory(action, target, content, old_text): save durable facts. action: add, replace, remove. target: user or memory
- session_search(query): search past conversations
- terminal(command): run a shell command
- read_file(path): read a text file
- write_file(path, content): write a text file
- skills_list(): list the skills
- skill_view(name): load the steps of a skill
- skill_manage(action, name, description, content, old_string, new_string): create or patch a skill

## Guidance
Save durable facts with memory.
Answer from the tool result. Never invent a result.
Keep answers short.
Call one tool at a time and wait for its result.
You are the small built-in model. Say so when a request is beyond you.`)

test('the built-in model asks for the prompt that it was trained on', async () => {
  expect(await engines.engine(model(path)).profile()).toEqual({
    strategy: 'text',
    prompt: 'demo',
    contextTokens: 2_048,
  })
})

test('the built-in model runs a command and reads its result', async () => {
  const messages = [frame, user('run ls -la')]
  const call = await ask(path, messages)
  expect(call.text).toBe('<tool_call>{"name":"terminal","arguments":{"command":"ls -la"}}</tool_call>')
  const answer = await ask(path, [
    ...messages,
    reply(call),
    user('[Tool Result: terminal] exit code 0\nnotes.md\ntodo.txt'),
  ])
  expect(answer).toMatchObject({ stop: 'end', text: 'The command printed:\nnotes.md\ntodo.txt' })
  expect(answer.usage?.evaluatedTokens).toBeLessThan(40)
})

test('the built-in model says the same thing every time', async () => {
  const once = await ask(path, [frame, user('what is my name?')], { session: 'one' })
  const again = await ask(path, [frame, user('what is my name?')], { session: 'two' })
  expect(once.text).toBe(again.text)
  expect(once.text).toContain('Ada')
})
