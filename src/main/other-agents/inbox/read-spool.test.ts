import { describe, expect, test } from 'vitest'
import { aLine, aSpool } from '../../../../testing/other-agents/a-spool.ts'
import { BLACK } from '../../untrusted/redact.ts'
import { isOwnTool, withoutOwnText } from './clean-event.ts'
import { isSessionName, readSpoolName, takenName } from './spool-names.ts'
import { readSpoolLine } from './spool-line.ts'

// The content of single lines, and what is stored of it.

describe('a line', () => {
  const line = aLine('Use tabs.', { id: 'p1', at: 7, cwd: '/home/me/site', model: 'opus' }).trimEnd()
  const event = { type: 'user_message', session: 'pi:x', at: 7, text: 'Use tabs.' }

  test('says an event, its id, the folder and the model', () => {
    expect(readSpoolLine('pi:x', line)).toEqual({ id: 'p1', folder: '/home/me/site', model: 'opus', event })
  })

  test.for([
    ['half a line', line.slice(0, 40)],
    ['half a line with a beginning in it', `${line.slice(0, 40)}{"v":1,${line.slice(3, 20)}`],
    ['zeros, as a power cut leaves them', '\0'.repeat(4_096)],
  ])('is read behind %s', ([, before]) => {
    expect(readSpoolLine('pi:x', before + line)).toMatchObject({ id: 'p1', event })
  })

  test('whose arguments look like a line is read as it is', () => {
    const inner = { type: 'tool_result', name: 'echo', arguments: JSON.parse(line), ok: true }
    const outer = aLine('', { id: 'outer', event: inner }).trimEnd()
    expect(readSpoolLine('pi:x', outer)).toMatchObject({ id: 'outer' })
    expect(readSpoolLine('pi:x', line.slice(0, 50) + outer)).toMatchObject({ id: 'outer' })
  })

  test.for([
    ['not JSON', 'nonsense', 'not JSON'],
    ['a number', '7', ''],
    ['null', 'null', ''],
    ['without an id', '{"v":1,"at":1,"event":{"type":"session_end"}}', ''],
    ['without an event', '{"v":1,"id":"a","at":1}', ''],
    ['with an event that there is not', aLine('', { event: { type: 'dance' } }), ''],
    [
      'of many levels',
      aLine('', { event: JSON.parse('{"a":'.repeat(900) + '1' + '}'.repeat(900)) }),
      'deeply',
    ],
  ])('%s is refused', ([, text, why]) => {
    expect(readSpoolLine('pi:x', text!)).toMatchObject({ refused: expect.stringContaining(why!) })
  })

  test('of another version is told from one that is wrong', () => {
    expect(readSpoolLine('pi:x', '{"v":2}')).toMatchObject({ isOtherVersion: true })
    expect(readSpoolLine('pi:x', '{"v":1}')).not.toHaveProperty('isOtherVersion')
  })
})

test.for([
  ['before <talaria_memory>\nThe user likes tea.\n</talaria_memory> after', 'before  after'],
  ['a <talaria_memory folder="/x">1</talaria_memory> b <TALARIA_MEMORY>2</TALARIA_MEMORY> c', 'a  b  c'],
  ['cut: <talaria_memory>The user', 'cut: '],
  ['<talaria_memory_notes> is another tag', '<talaria_memory_notes> is another tag'],
  ['1 < 2', '1 < 2'],
])('of “%s” our own part is left out', ([text, left]) => {
  expect(withoutOwnText(text!)).toBe(left)
})

test('many frames without an end take no long time', () => {
  const started = performance.now()
  withoutOwnText('<talaria_memory '.repeat(25_000))
  // Trying each of them up to the end of the text would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000)
})

test.for([
  ['mcp__talaria__memory_search', true],
  ['mcp__plugin_talaria_talaria__skill_list', true],
  ['talaria_memory_propose', true],
  ['talaria.session_search', true],
  ['Bash', false],
  ['mcp__memory__search_nodes', false],
  ['mcp__notalaria__x', false],
  ['talaria', false],
] as const)('the tool %s is ours: %s', ([name, isOurs]) => {
  expect(isOwnTool(name)).toBe(isOurs)
})

test('calls of our own tools and messages that are only our section are not stored', async () => {
  await using made = aSpool()
  const result = { type: 'tool_result', ok: true, text: 'The user likes tea.' }
  made.append(
    's1',
    aLine('', { event: { ...result, name: 'mcp__plugin_talaria_talaria__memory_search' } }),
    aLine('<talaria_memory>The user likes tea.</talaria_memory>\n'),
    aLine('', {
      event: { ...result, name: 'Bash', arguments: { command: 'x <talaria_memory>tea</talaria_memory>' } },
    }),
    aLine('Really: <talaria_memory>tea</talaria_memory>'),
  )
  await made.spool.readNow()
  expect(made.store.foreign.events('claude-code:s1').map(({ event }) => event)).toMatchObject([
    { type: 'tool_result', name: 'Bash', arguments: { command: 'x ' } },
    { type: 'user_message', text: 'Really: ' },
  ])
  expect(made.spool.noteOf('claude-code')).toBe('')
})

test('keys and passwords are blacked out before anything is stored, and no message names one of our chats', async () => {
  await using made = aSpool()
  const key = `ghp_${'a1B2'.repeat(9)}`
  made.append(
    's1',
    aLine(`The token is ${key}.`, { event: { type: 'user_message', text: `It is ${key}.`, id: 12 } }),
    aLine('', {
      cwd: `/work/${key}`,
      event: {
        type: 'tool_result',
        name: 'http',
        ok: true,
        text: `Authorization: Bearer ${key}`,
        arguments: { headers: { password: 'hunter2hunter2' }, list: [key] },
      },
    }),
  )
  await made.spool.readNow()
  const stored = made.store.foreign.events('claude-code:s1').map(({ event }) => event)
  expect(JSON.stringify([stored, made.store.foreign.list({ limit: 9 })])).not.toMatch(/ghp_|hunter2/)
  expect(stored).toMatchObject([
    { text: `It is ${BLACK}.` },
    { arguments: { headers: { password: BLACK }, list: [BLACK] } },
  ])
  expect(stored[0]).not.toHaveProperty('id')
})

test('names of files say their session, and taken ones never meet', () => {
  const first = takenName('a.b-1.jsonl', 1_000)
  expect(readSpoolName('pi', 'a.b-1.jsonl')).toEqual({ session: 'a.b-1', isTaken: false })
  expect(readSpoolName('pi', first)).toEqual({ session: 'a.b-1', isTaken: true })
  expect(takenName('a.b-1.jsonl', 1_000)).not.toBe(first)
  expect([first, takenName('a.b-1.jsonl', 20_000_000_000)].toSorted()[0]).toBe(first)
  for (const name of ['a.jsonl.1.taken', '..jsonl', '.jsonl', 'a/b.jsonl', 'a.json', 'a.jsonl.bak'])
    expect(readSpoolName('pi', name)).toBeUndefined()
  expect(isSessionName('pi', 'x'.repeat(197))).toBe(true)
  expect(isSessionName('pi', 'x'.repeat(198))).toBe(false)
})
