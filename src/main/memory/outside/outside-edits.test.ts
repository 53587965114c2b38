import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aChat } from '../../../../testing/db/a-store.ts'
import { said } from '../../../../testing/tools/a-workspace.ts'
import { aNotebook, add, done, you } from '../../../../testing/memory/a-notebook.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { memoryTool } from '../memory-tool.ts'
import { createRegistry } from '../../tools/registry/registry.ts'
import type { Memory } from '../open-memory.ts'
import { wasSeen } from './outside-edits.ts'

let place: ReturnType<typeof aNotebook>
let memory: Memory
let sessionId: string

beforeEach(() => {
  place = aNotebook()
  memory = place.open()
  done(memory.change([add('Likes tea.'), add('Has a dog.')], you))
  sessionId = aChat(place.store).id
})
afterEach(() => place[Symbol.dispose]())

const write = (text: string) => {
  writeFileSync(join(place.home, 'memories', 'USER.md'), text)
  memory.sync()
}
const file = () => place.file()

/** Call the tool in the chat, as the loop does. */
async function call(args: Record<string, unknown>): Promise<string> {
  const { sessions, memory: kept } = place.store
  const registry = createRegistry([
    memoryTool(memory, {
      hasSeen: (entry, id) => wasSeen(entry, id, { sessions, history: kept.history }),
    }),
  ])
  const checked = registry.validate('memory', { target: 'user', ...args })
  if (!checked.ok) throw new Error('bad arguments')
  const context = {
    workspace: '/desk',
    home: place.home,
    sessionId,
    askedId: 1,
    access: 'unconfined' as const,
  }
  const tool = registry.get('memory')!
  const intent = await tool.intent(checked.value, context)
  if (isRefusal(intent)) throw new Error(intent.refused)
  const result = await tool.run(checked.value, {
    ...context,
    signal: new AbortController().signal,
    output: () => {},
  })
  return said(result)
}

/** Changes that someone made to “Likes tea.” in the meantime. */
const MEANWHILE = [
  'Likes tea, but only green tea from Uji.',
  'Likes tea\nand, since March, coffee.',
  'No longer likes tea. Drinks water.',
  'likes TEA, and biscuits',
  'Ada likes tea. Tom does not.',
  'Likes tea. The doctor said: no more than two cups.',
  'Likes tea (see the list on the fridge).',
  '- Likes tea\n- Likes cake',
  'Likes tea — from a cup of glass.',
  'Likes “tea.”, as it is called in the north.',
]

describe.each(MEANWHILE)('“%s”, written meanwhile', text => {
  test.for(['replace', 'remove'])('is not taken by a %s of a part, and is said', async action => {
    write(`${text}\n§\nHas a dog.\n`)
    const content = action === 'replace' ? { content: 'Likes tea in the morning.' } : {}
    const answer = await call({
      action,
      old_text: text.includes('likes TEA') ? 'likes tea' : 'tea',
      ...content,
    })
    expect(answer).toContain('changed by somebody else since this chat began')
    expect(answer).toContain(text)
    expect(file()).toBe(`${text}\n§\nHas a dog.\n`)
    expect(await call({ action, old_text: text, ...content })).toContain('"success": true')
  })
})

test('what the chat wrote itself, is older than it, or stands in its prompt is replaced by a part of it', async () => {
  expect(await call({ action: 'replace', old_text: 'dog', content: 'Has two dogs.' })).toContain('replaced')
  expect(await call({ action: 'replace', old_text: 'two', content: 'Has three dogs.' })).toContain('replaced')
  write('Likes tea.\n§\nHas three dogs\nand a cat.\n')
  const text = '## About the user\n- Likes tea.\n- Has three dogs\n  and a cat.'
  place.store.sessions.freezePrompt(sessionId, {
    key: 'structured',
    sections: [{ name: 'memory', title: 'Memory', text }],
    toolNames: [],
  })
  expect(await call({ action: 'replace', old_text: 'three', content: 'Has a cat.' })).toContain('replaced')
})
