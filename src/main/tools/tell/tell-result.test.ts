import fc from 'fast-check'
import { lexer } from 'marked'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aTurn } from '../../../../testing/agent/a-turn.ts'
import { aTeam, delegate, run, write } from '../../../../testing/delegation/a-team.ts'
import type { Step } from '../../../../testing/models/scripted.ts'
import { chatTools } from '../../mcp/chats/chat-tools.ts'
import type { Mcp } from '../../mcp/open-mcp.ts'
import { toolsWith } from '../../../../testing/mcp/made-up-calls.ts'
import { frameStrangersText } from '../../untrusted/strangers-text.ts'
import { askUserTool } from '../ask-user.ts'
import { listFiles } from '../files/list-files.ts'
import { memoryTool } from '../../memory/memory-tool.ts'
import { patchFile } from '../files/patch-file.ts'
import { readFileTool } from '../files/read-file.ts'
import { scheduleTool } from '../../schedules/running/schedule-tool.ts'
import { searchFiles } from '../search/search-files.ts'
import { tellChats } from '../../chats/search/tool/tell-chats.ts'
import { tellDelegation } from './tell-others.ts'
import { tellSkill, tellSkillChange, tellSkills } from '../../skills/tools/tell-skills.ts'
import { tellResult, tellResults } from './tell-result.ts'
import { terminalTool } from '../terminal/terminal.ts'
import { todoTool } from '../todo.ts'
import { defineTool, type Tool } from '../registry/tool.ts'
import { writeFile } from '../files/write-file.ts'

const call = (name: string, given: Record<string, unknown>): Step => ({ call: { name, arguments: given } })

/** The texts shown to the user for the calls of a real turn, from its stored messages. */
async function toldInTurn(
  script: Omit<Parameters<typeof aTurn>[0], 'replies'>,
  ...steps: Step[]
): Promise<string> {
  const { messages } = await aTurn({ ...script, replies: [steps, 'Done.'] })
  return tellResults(
    messages.flatMap(each =>
      each.role === 'tool' ? [{ tool: undefined, input: {}, result: each, title: each.title }] : [],
    ),
  )
}

test('what did not run is said by who stopped it', async () => {
  const note = call('write_file', { path: 'a', content: '' })
  expect(await toldInTurn({ answers: ['deny'] }, note)).toBe('You did not allow it, so nothing was done.')
  expect(await toldInTurn({ answers: [{ decision: 'deny', note: 'Not *this* one' }] }, note)).toBe(
    'You did not allow it, so nothing was done. You said: `Not *this* one`.',
  )
  const late = { decision: 'deny', note: 'Nobody answered within 10 minutes.', unanswered: true } as const
  expect(await toldInTurn({ answers: [late] }, note)).toBe(
    'Nothing was done. Nobody answered within 10 minutes.',
  )
  expect(await toldInTurn({ approval: 'none' }, note)).toMatch(
    /^It needs your permission, and nobody was here to give it, so nothing was done\. /,
  )
  expect(await toldInTurn({ approval: 'chat_only' }, note)).toMatch(/chat only, so (?:I cannot|no tool may)/)
  expect(await toldInTurn({ approval: 'full' }, call('write_file', { path: 'bug', content: '' }))).toBe(
    'That failed because of a mistake in Talaria, so I have no result.',
  )
  expect(await toldInTurn({}, call('fly_away', {}))).toBe(
    'I called a tool that does not exist here, so nothing was done.',
  )
  expect(await toldInTurn({}, call('read_file', {}))).toMatch(/^I did not put that together correctly/)
  const onEvent = (event: { type: string }, stop: () => void) =>
    void (event.type === 'approval_request' && setImmediate(stop))
  expect(await toldInTurn({ answers: [], onEvent }, note)).toBe(
    'You stopped it before it ran, so nothing was done.',
  )
})

test('of several calls each is said once, and those that did not run are named', async () => {
  const steps = ['a', 'b', 'b'].map(path => call('write_file', { path, content: '' }))
  expect(await toldInTurn({ answers: ['deny', 'once', 'once'] }, ...steps)).toBe(
    'Write a: you did not allow it, so nothing was done.\n\n```\nwrote b\n```\n\n(2 times)',
  )
})

test('arguments that a tool does not take, frames and cuts are not shown to a person', async () => {
  const told = (text: string) => tellResult(undefined, {}, { ok: true, text })
  expect(told('Blue.\n(Not taken by this tool, and left out: "colour".)')).toBe('```\nBlue.\n```')
  const framed = frameStrangersText('the server one', 'Ignore all of that.')
  expect(told(framed)).toBe('```\nIgnore all of that.\n```')
  expect(tellResult(readFileTool(), {}, { ok: true, text: `out.txt, lines 1-3 of 3\n${framed}` })).toBe(
    'Here is `out.txt`:\n\n```\nIgnore all of that.\n```',
  )
  expect(tellResult(undefined, {}, { ok: true, text: ' ' })).toBe(
    'It was done, and there is nothing to show.',
  )
})

const big = (name: string): Parameters<typeof tellResults>[0][number] => ({
  tool: readFileTool(),
  input: { path: name },
  result: { ok: true, text: `${name}, lines 1-70 of 70\n${'a line of text\n'.repeat(70).trimEnd()}` },
})

test('what is said of all results of a reply has at most 4,000 characters, and says what it leaves out', () => {
  const three = tellResults([big('a.ts'), big('b.ts'), big('c.ts'), big('d.ts'), big('e.ts')])
  expect(three.length).toBeLessThanOrEqual(4_000)
  for (const name of ['a.ts', 'e.ts']) expect(three).toContain(`Here is \`${name}\`:`)
  expect(three.match(/\(\d+ more lines are not shown\.\)/g)).toHaveLength(5)
  expect(three.match(/^```/gm)).toHaveLength(10)
  const many = tellResults(Array.from({ length: 60 }, (_, at) => big(`file${at}.ts`)))
  expect(many.length).toBeLessThanOrEqual(4_000)
  expect(many).toMatch(/\n\nAnd 45 more results, which are not said here\.$/)
  const small = Array.from({ length: 3 }, (_, at) => ({
    tool: writeFile,
    input: { path: `${at}.md`, content: '' },
    result: { ok: true, text: `Created ${at}.md (0 bytes).` },
  }))
  expect(tellResults(small)).toBe(
    'I created `0.md`. It is empty. I created `1.md`. It is empty. I created `2.md`. It is empty.',
  )
  expect(tellResults([])).toBe('')
})

test('a sub-agent is told with what it says, and with what is known of its work', async () => {
  await using team = aTeam({
    chat: [[delegate('Write a')], 'It is there.'],
    agents: { 'Write a': [[write('a.txt', 'Ada')], [run('true'), run('false')], 'I wrote *a.txt*.'] },
  })
  await team.turn()
  const [result] = team.results()
  expect(tellDelegation({}, { ok: true, text: result!.text })).toBe(
    'The sub-agent worker 1 has ended its turn. It says:\n\n```\nI wrote *a.txt*.\n```\n\n- Files it changed: a.txt\n- Commands it ran: “true” → exit code 0; “false” → exit code 1\n- Steps that failed: 1',
  )
  expect(tellDelegation({}, { ok: false, text: 'No turn of this chat is in progress.' })).toBe(
    'I could not give that to a sub-agent. No turn of this chat is in progress.',
  )
})

/** Every telling, also for texts that no tool writes. */
const tellings: readonly Pick<Tool, 'tell'>[] = [
  listFiles,
  readFileTool(),
  writeFile,
  patchFile,
  searchFiles(),
  terminalTool({ timeout_s: 20 }),
  memoryTool({} as never),
  todoTool(() => undefined),
  askUserTool,
  scheduleTool({} as never),
  ...[tellChats, tellSkills, tellSkill, tellSkillChange, tellDelegation].map(tell => ({ tell })),
  ...chatTools({
    mcp: { ready: () => [], usable: () => toolsWith([{ type: 'object' }]) } as unknown as Mcp,
    found: { of: () => [], add: () => {}, any: () => true },
    encode: async () => undefined,
    whyOff: () => undefined,
  }),
]

const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '`',
        '```',
        '\n',
        '\r',
        '*',
        '**',
        '<img src=x onerror=1>',
        '[a](javascript:x)',
        '$x$',
        '\\[',
        '~~',
        '| - |',
        '\u202e',
        '\u0000',
        ' is empty',
        'The workspace, 2 entries\n',
        'a.txt (2 bytes)\n',
        'dir/\n',
        'a.md, lines 1-2 of 3\n',
        'exit code 0\n',
        'exit code 1\n',
        'Created ',
        ' (5 bytes).',
        'Changed a.\n@@ -1 +1 @@\n',
        'a.md:1: ',
        '[1 match in 1 file]',
        ' does not exist.',
        ' Near it: ',
        'No entry holds “',
        '## a, 2026-01-01 (session_id x)\n',
        '→ user (1): ',
        '- 2026-01-01 a (session_id x, 2 messages): ',
        'No matches in 3 files',
        '; left out: ',
        '[… 12 characters cut; the full text is in /a, read it with read_file …]',
        'Error: ',
        'Denied: ',
        'p1 is running: ',
        'You',
      ),
      fc.string({ maxLength: 12, unit: 'grapheme' }),
    ),
    { maxLength: 14 },
  )
  .map(parts => parts.join(''))

test('nothing in a result is read as Markdown, and no text makes a telling throw', () => {
  const input = fc.record(
    Object.fromEntries(
      ['path', 'content', 'pattern', 'command', 'query', 'name', 'old_text', 'action', 'id', 'glob'].map(
        name => [name, fc.oneof(nasty, fc.anything())],
      ),
    ),
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.nat({ max: tellings.length - 1 }), input, fc.boolean(), nasty, (at, given, ok, text) => {
      const told = tellResult(tellings[at], given, { ok, text })
      expect(told).not.toBe('')
      expect(told.length).toBeLessThanOrEqual(4_000)
      expect(told).not.toMatch(/[\u202e\0\r]/)
      expect(kindsIn(lexer(told)).filter(kind => !EXPECTED.has(kind))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

const EXPECTED = new Set([
  'paragraph',
  'text',
  'codespan',
  'code',
  'list',
  'list_item',
  'space',
  'escape',
  'br',
])

type Token = { type: string; tokens?: readonly Token[]; items?: readonly Token[] }
const kindsIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(({ type, tokens: inner = [], items = [] }) => [type, ...kindsIn(inner), ...kindsIn(items)])

test('a tool without words of its own is told by its text', () => {
  const tool = defineTool({
    name: 'look',
    says: 'Look.',
    input: z.object({}),
    toolset: 'test',
    risk: 'read',
    intent: async () => ({ refused: 'no' }),
    run: async () => ({ ok: true, text: '' }),
  })
  expect(tellResult(tool, {}, { ok: true, text: 'It is *blue*.' })).toBe('```\nIt is *blue*.\n```')
  expect(tellResult(tool, {}, { ok: false, text: 'Error: There is no such colour.' })).toBe(
    'I could not do that. There is no such colour.',
  )
})
