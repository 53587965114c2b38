import { expect, onTestFinished, test } from 'vitest'
import { searchHere } from '../../../testing/chats/search-here.ts'
import { aChat, assistant, aStore, user } from '../../../testing/db/a-store.ts'
import { aWorkspace } from '../../../testing/tools/a-workspace.ts'
import { callAndTell } from '../../../testing/tools/told-call.ts'
import { openMemory } from './open-memory.ts'
import { sessionSearchTool } from '../chats/search/tool/session-search-tool.ts'
import { memoryTool } from './memory-tool.ts'

/** The tool on a real notebook; each call is in a separate turn. */
function aNotebook() {
  const store = aStore()
  onTestFinished(() => store[Symbol.dispose]())
  const memory = openMemory({
    home: store.home,
    store: store.memory,
    limits: () => ({ user: 200, memory: 200 }),
    now: Date.now,
    count: text => text.length,
    onChange: () => {},
  })
  const place = aWorkspace()
  return (args: Record<string, unknown>) => callAndTell(place, memoryTool(memory), args)
}

test('what was saved, corrected and forgotten is quoted', async () => {
  const say = aNotebook()
  const about = (action: string, more: object) => say({ action, target: 'user', ...more })
  expect(await about('remove', { old_text: 'coffee' })).toBe(
    'I found nothing saved about “coffee”, so nothing was changed. Nothing is saved yet.',
  )
  expect(await about('add', { content: 'User likes *green* tea.' })).toBe(
    'I will remember: `User likes *green* tea.`.',
  )
  expect(await about('add', { content: 'User likes *green* tea.' })).toBe(
    'I know that already: `User likes *green* tea.`.',
  )
  expect(await about('add', { content: 'The user is called Sam.' })).toBe(
    'I will remember: “The user is called Sam.”',
  )
  expect(await say({ action: 'add', target: 'project', content: 'Tests run with npm test' })).toBe(
    'I have noted for this folder: “Tests run with npm test”.',
  )
  expect(await about('replace', { content: 'The user is called Samuel.', old_text: 'called Sam' })).toBe(
    'I have corrected that: “The user is called Samuel.”, instead of “The user is called Sam.”',
  )
  expect(await about('remove', { old_text: 'e' })).toBe(
    '2 saved entries fit “e”, so nothing was changed. Which one do you mean?\n\nThey are:\n\n- `User likes *green* tea.`\n- The user is called Samuel.',
  )
  expect(await about('remove', { old_text: 'Samuel' })).toBe('I have forgotten what I knew about “Samuel”.')
})

test('what was not saved is said with its reason', async () => {
  const say = aNotebook()
  const add = (content?: string) => say({ action: 'add', target: 'user', content })
  expect(await add()).toBe('It was not clear what to remember, so nothing was saved.')
  expect(await say({ action: 'remove', target: 'user' })).toBe(
    'It was not clear what to forget, so nothing was changed.',
  )
  expect(await add('x y'.repeat(90))).toBe(
    'I did not save that, because memory is full: it would take 270 of 200 characters. Remove something first.',
  )
  expect(await add('Always answer in German.')).toMatch(
    /^I did not save that, because it is an order\. I could/,
  )
  expect(await add('The key is sk-ant-api03-0000000000000000000000')).toMatch(
    /^I did not save that, because it /,
  )
  expect(await say({ target: 'user' })).toBe('It was not clear what to remember, so nothing was saved.')
})

test('several changes of one call are a list', async () => {
  const say = aNotebook()
  const change = (...operations: object[]) => say({ target: 'memory', operations })
  expect(await change({ action: 'add', content: 'A b c.' }, { action: 'add', content: 'D e f' })).toBe(
    'I made 2 changes to memory:\n\n- I have noted: “A b c.”\n- I have noted: “D e f”.',
  )
  expect(
    await change({ action: 'add', content: 'A b c.' }, { action: 'replace', old_text: 'D e', content: 'G.' }),
  ).toBe(
    'I made 2 changes to memory:\n\n- I have noted: “A b c.”\n- I have corrected that: “G.”, instead of “D e f”.\n\nI knew 1 of them already.',
  )
  expect(await change({ action: 'remove', old_text: 'zz' }, { action: 'add', content: 'x' })).toBe(
    'I found nothing saved about “zz”, so nothing was changed.',
  )
})

const DAY = 24 * 60 * 60_000
const START = new Date(2026, 0, 4, 12).getTime()

test('earlier chats are listed with their day and best line, and one is told as who said what', async () => {
  const store = aStore()
  onTestFinished(() => store[Symbol.dispose]())
  const search = searchHere(store)
  const askRecap = async () => ({ refused: 'There is no model.' })
  const tool = sessionSearchTool({ ...search, askRecap })
  const place = aWorkspace()
  const say = (args: Record<string, unknown>) => callAndTell(place, tool, args)
  expect(await say({})).toBe('There are no earlier chats.')
  expect(await say({ query: 'tea' })).toBe('I found nothing about “tea” in earlier chats.')
  const chats = [1, 2].map(number => {
    const { id } = aChat(store, { title: `Tea *${number}*` })
    store.messages.append(
      user(id, `Which tea is best, number ${number}?\nI mean green.`, START + number * DAY),
    )
    store.messages.append(assistant(id, 'Sencha `x` is good.', { at: START + number * DAY + 1 }))
    return id
  })
  expect(await say({ query: 'tea', sort: 'oldest', limit: 99 })).toBe(
    'I found 2 earlier chats about “tea”:\n\n- 2026-01-05, `Tea *1*`: You: “Which tea is best, number 1? I mean green.”\n- 2026-01-06, `Tea *2*`: You: “Which tea is best, number 2? I mean green.”',
  )
  expect(await say({ query: 'zebra' })).toBe('I found nothing about “zebra” in earlier chats.')
  expect(await say({ session_id: chats[0] })).toBe(
    'This is the chat `Tea *1*` of 2026-01-05.\n\n- You: “Which tea is best, number 1? I mean green.”\n- Talaria: ``Sencha `x` is good.``',
  )
  expect(await say({})).toMatch(/^These are the 2 latest chats:\n\n- \d{4}-\d\d-\d\d, `Tea \*2\*`: /)
  expect(await say({ session_id: 'nope' })).toBe('There is no such chat.')
  expect(await say({ session_id: chats[0], around_message_id: 999 })).toBe(
    'There is no such message in that chat.',
  )
})
