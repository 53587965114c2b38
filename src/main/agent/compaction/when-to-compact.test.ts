import { expect, test } from 'vitest'
import { aReply } from '../../../../testing/agent/a-turn.ts'
import { aChat, reading, said, talk, usage, words } from '../../../../testing/agent/a-chat.ts'
import type { EngineFailure } from '../../models/interface/engine.ts'
import { promptTokens } from './plan.ts'

const full: EngineFailure = { code: 'context_full', text: 'Too long.', fix: '' }

test('below the trigger nothing happens, and exactly at it a pass starts', async () => {
  const chat = aChat({ replies: () => '## Goal\n- Words 12 to 20' })
  chat.say(...talk(40))
  const tokens = await promptTokens(chat.turn, chat.messages)
  const share = (at: number) => at / chat.turn.contextTokens
  expect(await chat.compactHistory({ trigger: share(tokens + 1) })).toBe('near')
  expect(await chat.compactHistory({ trigger: share(tokens) })).toBe('compacted')
})

test('if the server counts few tokens, no estimate of ours starts a pass while everything fits', async () => {
  const chat = aChat({ replies: () => '## Goal\n- Words 12 to 20' })
  chat.say(...talk(36), aReply('Yes.', { at: 5, usage: usage(10, 2) }), said('Go on.'))
  expect(await promptTokens(chat.turn, chat.messages)).toBeGreaterThan(4_500)
  expect(await chat.compactHistory()).toBe('enough')
  // Tokens that the server leaves out of its count still take space.
  chat.say(...talk(20))
  expect(await chat.compactHistory()).toBe('compacted')
})

test('after three passes within four minutes there is a pause of six, except for the user', async () => {
  const chat = aChat({ minutes: 1, replies: () => '## Goal\n- Words 12 to 20' })
  const pass = () => {
    chat.say(...talk(40))
    return chat.compactHistory()
  }
  expect([await pass(), await pass(), await pass()]).toEqual(['compacted', 'compacted', 'compacted'])
  const paused = []
  for (let minute = 0; minute < 5; minute++) paused.push(await pass())
  expect(paused).toEqual(Array.from({ length: 5 }, () => 'paused'))
  expect(chat.kept).toHaveLength(3)
  expect(await chat.compactHistory({ byHand: true })).toBe('compacted')
  chat.say(...talk(40))
  expect(await chat.compactHistory()).toBe('compacted')
})

test('passes that are further apart, and those of the user, lead to no pause', async () => {
  const apart = aChat({ minutes: 3, replies: () => '## Goal\n- Words 12 to 20' })
  const asked = aChat({ minutes: 0, replies: () => '## Goal\n- Words 12 to 20' })
  for (let pass = 0; pass < 5; pass++) {
    apart.say(...talk(40))
    asked.say(...talk(40))
    expect(await apart.compactHistory()).toBe('compacted')
    expect(await asked.compactHistory({ byHand: true })).toBe('compacted')
  }
  asked.say(...talk(40))
  expect(await asked.compactHistory()).toBe('compacted')
})

test('of equal tool results one full copy stays, the newest', async () => {
  const chat = aChat({ contextTokens: 16_000, replies: () => '## Goal\n- Words 12 to 20' })
  chat.say(...talk(60), said('Look again.'), ...reading('a', 300), ...reading('b', 200), ...reading('a', 300))
  chat.say(aReply('The same.'), said('And?'))
  expect(await chat.compactHistory()).toBe('compacted')
  const [first, other, newest] = chat.sent().filter(message => message.role === 'tool')
  expect(first?.text).toMatch(/^\[read_file: 1,499 characters were here, beginning: word/)
  expect([other?.text, newest?.text]).toEqual([words(200), words(300)])
  // A later copy does not change what the model reads until the next pass.
  const before = chat.sent()
  chat.say(...reading('b', 200))
  expect(chat.sent().slice(0, before.length)).toEqual(before)
})

const KEY = 'sk-proj-aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW'
test.for([
  ['a model', `## Gotchas\n- The key is ${KEY}`],
  ['rules', [{ fail: full }]],
] as const)('a secret of the chat is not in a summary by %s, and does not reach it', async ([, reply]) => {
  const chat = aChat({ replies: [reply] })
  chat.say(said('Hello.'), aReply('Hello.'), said(`The key is ${KEY}, always use it.`), aReply('Fine.'))
  chat.say(...talk(40))
  expect(await chat.compactHistory({ focus: `the key ${KEY}` })).toBe('compacted')
  expect(JSON.stringify(chat.engine.prompts)).toContain('[redacted]')
  expect(JSON.stringify(chat.engine.prompts)).not.toContain(KEY)
  expect(chat.kept[0]?.summary).toContain('[redacted]')
  expect(chat.kept[0]?.summary).not.toContain(KEY)
})

test('when the last word was to stop, the summary does not revive the task', async () => {
  const reply = '## Goal\n- Move the site\n## In progress\n- Copying\n## Next steps\n- Switch the name'
  for (const word of [
    'Stop that.',
    'No, forget it, please.',
    'Undo everything, I keep the old one.',
    'stopp',
  ]) {
    const chat = aChat({ replies: [reply] })
    chat.say(...talk(40), said('Move the site, then switch its name.'), aReply('Copying.'), said(word))
    await chat.compactHistory()
    expect(chat.kept[0]?.summary).not.toMatch(/Copying|Switch the name/)
    expect(chat.kept[0]?.summary).toContain(`The user said “${word}”: what was in progress then has ended`)
    expect(chat.engine.prompts[0]?.messages.at(-1)?.text).toContain('Where the user said to stop')
  }
  for (const word of ['Stop the server on port 80.', 'Go on.', 'Leave a note for Ada.', 'Everything fine?']) {
    const chat = aChat({ replies: [reply] })
    chat.say(...talk(40), said('Move the site, then switch its name.'), aReply('Copying.'), said(word))
    await chat.compactHistory()
    expect(chat.kept[0]?.summary).toContain('Switch the name')
  }
})

test('another model starts the count of useless passes again', async () => {
  const long = `## Gotchas\n${Array.from({ length: 400 }, (_, n) => `- fact ${n} of the long list`).join('\n')}`
  const chat = aChat({ replies: () => long })
  chat.say(...talk(40))
  await chat.compactHistory()
  chat.kept[0] = { ...chat.kept[0]!, useless: 2, modelId: 'another' }
  let outcome = await chat.compactHistory()
  while (outcome === 'enough' || outcome === 'near') {
    chat.say(...talk(1))
    outcome = await chat.compactHistory()
  }
  expect(outcome).toBe('compacted')
  expect(chat.kept.at(-1)?.useless).toBeLessThan(2)
})
