import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedEngineChild } from '../../../../testing/golden/scripted-engine-child.ts'
import { aHome, aHost, endOf, turn } from '../../../../testing/host/a-host.ts'
import type { ApprovalMode } from '../../../shared/contract/chats/session.ts'

/** The model's output for a request that the rules do not know. */
const CALL =
  '<tool_call>\n{"name": "terminal", "arguments": {"command": "mv notes.txt minutes.txt"}}\n</tool_call>'
const UNCLEAR = 'give notes.txt the name minutes.txt'

/** A chat with the built-in model, whose engine writes one reply; `asked` counts how often. */
async function aGuidedChat(home: string, reply: string, approval: ApprovalMode = 'ask') {
  const workspace = join(home, 'folder')
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'notes.txt'), 'Call Anna\n')
  writeFileSync(join(home, 'config.yaml'), 'learning:\n  mode: off\nterminal:\n  sandbox: off\n')
  const count = { asked: 0 }
  const host = await aHost(home, {
    coreTools: true,
    workspace,
    spawnEngine: scriptedEngineChild(() => {
      count.asked += 1
      return reply
    }),
  })
  const { id } = await host.client['session.create']({ modelId: 'builtin', approval })
  const lastAnswer = async () => {
    const { messages } = await host.client['session.messages']({ id })
    return messages.findLast(message => message.role === 'assistant')?.text
  }
  return { host, id, count, lastAnswer, [Symbol.asyncDispose]: host.close }
}

test('a plain request of a guided chat needs no model, and is answered by the tool', async () => {
  using home = aHome()
  await using chat = await aGuidedChat(home.path, 'This is no remember I remember')
  expect(endOf(await turn(chat.host, chat.id, 'read notes.txt'))).toBe('done')
  expect(chat.count.asked).toBe(0)
  expect(await chat.lastAnswer()).toContain('Call Anna')
  await turn(chat.host, chat.id, 'remember that my dog is called Rocky')
  expect(readFileSync(join(home.path, 'memories', 'USER.md'), 'utf8')).toContain("User's dog is called Rocky")
  expect(chat.host.mistakes()).toEqual([])
})

test('nonsense of the model is neither shown nor stored', async () => {
  using home = aHome()
  await using chat = await aGuidedChat(home.path, 'This is no remember I remember')
  const events = await turn(chat.host, chat.id, 'tell me a joke about bees')
  expect(chat.count.asked).toBe(1)
  expect(JSON.stringify(events)).not.toContain('no remember')
  expect(await chat.lastAnswer()).toMatch(/\S/)
})

test('where opinions differ the person is asked through ask_user, and what they choose is done', async () => {
  using home = aHome()
  await using chat = await aGuidedChat(home.path, CALL)
  const { client } = chat.host
  const questions: string[] = []
  const events = await turn(chat.host, chat.id, UNCLEAR, async (event, runId) => {
    if (event.type !== 'approval_request') return
    const { id: approvalId, question, detail } = event.approval
    questions.push(question?.text ?? detail)
    // The question gets the first choice; the command itself then asks like any other.
    const note = question?.choices[0] ?? ''
    await client['run.approve']({ runId, approvalId, decision: question ? 'once' : 'deny', note })
  })
  expect(endOf(events)).toBe('done')
  expect(questions).toEqual(['Shall I run `mv notes.txt minutes.txt`?', 'mv notes.txt minutes.txt'])
})

test('where nobody answers, a guided chat says what it would do', async () => {
  using home = aHome()
  await using chat = await aGuidedChat(home.path, CALL, 'none')
  expect(endOf(await turn(chat.host, chat.id, UNCLEAR))).toBe('done')
  expect(await chat.lastAnswer()).toContain('I would run `mv notes.txt minutes.txt`')
})
