import fc from 'fast-check'
import tokenizer from 'llama3-tokenizer-js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { formats, type FormatId } from '../models/formats/format-table.ts'
import type { ToolSpec } from '../models/engine.ts'
import { coreTools } from '../tools/tool-lists.ts'
import { createRegistry } from '../tools/registry.ts'
import { buildPrompt, joinSections, type PromptParts } from './prompt.ts'
import { createTextStrategy } from './strategies/text.ts'
import { presentAsText } from '../../../testing/agent/messages.ts'

const READ: ToolSpec = {
  name: 'read_file',
  description: 'Read a text file.',
  parameters: z.toJSONSchema(
    z.object({
      path: z.string(),
      mode: z.enum(['all', 'head']),
      limit: z.int().optional(),
      tags: z.array(z.string()),
    }),
  ),
}

const promptOf = (given: PromptParts) => joinSections(buildPrompt(given))

const parts = (given: Partial<PromptParts> = {}): PromptParts => ({
  edition: 'compact',
  soul: '',
  toolText: presentAsText().present([READ]),
  tools: [READ],
  workspace: '/home/ada/notes',
  project: [],
  memory: undefined,
  skills: '',
  style: '',
  today: new Date('2026-11-21T12:00:00'),
  ...given,
})

test('the compact edition, whole', () => {
  expect(promptOf(parts({ project: [{ file: 'AGENTS.md', text: 'Use tabs.' }] }))).toMatchInlineSnapshot(`
    "You are Talaria, an assistant that runs on this person’s own computer. You are helpful, direct and honest.

    ## Tools
    To use a tool, write exactly this and then stop:
    <tool_call>
    {"name": "tool_name", "arguments": {"key": "value"}}
    </tool_call>
    The result comes back as a message that starts with [Tool Result: tool_name].

    - read_file(path: string, mode: "all"|"head", limit?: integer, tags: string[]): Read a text file.

    ## How you work
    - You have tools. Use one when the answer is on the computer; otherwise just answer.
    - Answer from what a tool returned, never from what you expect it to return.
    - When a call fails, read the reason and change something before you try again.
    - When the user denies a call, accept it.
    - Answer in the user’s language, briefly.
    - Act instead of describing: when a tool can do the next step, call it in this reply instead of saying what you would do.

    ## About this project (from AGENTS.md)
    Use tabs.

    Today is 2026-11-21. The working folder is /home/ada/notes."
  `)
})

test.for(Object.keys(formats) as FormatId[])(
  'the compact edition with the core tools and a long project file fits its share of a small window: %s',
  format => {
    const tools = createRegistry(coreTools({ timeout_s: 30 })).specs()
    const { present } = createTextStrategy({ format, toolRole: false, edition: 'compact' })
    const tokensOf = (text: string) => {
      const project = [{ file: 'AGENTS.md', text }]
      const prompt = promptOf(parts({ tools, toolText: present(tools), project }))
      return tokenizer.encode(prompt, { bos: false, eos: false }).length
    }
    expect(tools.length).toBeGreaterThan(5)
    expect(tokensOf('')).toBeLessThan(700)
    expect(tokensOf('Run the tests first. '.repeat(72))).toBeLessThan(1_500)
  },
)

test('the compact edition says when to load and to mend a skill', () => {
  const tools = ['skill_view', 'skill_manage'].map(name => ({ name, description: '', parameters: {} }))
  expect(promptOf(parts({ tools }))).toMatch(
    /\n- Act instead of describing.*\n- When a skill .* even for a task that you know\.\n[^]*\n- When a skill was wrong .*mend it/,
  )
})

test('the full edition contains the compact one and more', () => {
  const compact = promptOf(parts())
    .split('\n')
    .filter(line => !line.startsWith('- Act instead'))
  const full = promptOf(parts({ edition: 'full' })).split('\n')
  expect(full).toEqual(expect.arrayContaining(compact))
  expect(full.length).toBeGreaterThan(compact.length)
})

test('a prompt without tools does not mention using them', () => {
  expect(promptOf(parts({ tools: [], toolText: '' }))).toMatchInlineSnapshot(`
    "You are Talaria, an assistant that runs on this person’s own computer. You are helpful, direct and honest.

    This chat has no tools: you cannot look at files or run anything. Answer in the user’s language.

    Today is 2026-11-21. The working folder is /home/ada/notes."
  `)
})

test('spaces at line ends and the kind of line ending do not change the prompt', () => {
  const space = fc.constantFrom(' ', '\t', '  \t ')
  const ending = fc.constantFrom('\n', '\r\n', '\r')
  const line = fc.constantFrom('# Soul', '', 'You are Hestia.', '- order')
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), space, ending, (lines, trailing, newline) => {
      const plain = promptOf(parts({ soul: lines.join('\n') }))
      expect(promptOf(parts({ soul: lines.map(each => each + trailing).join(newline) }))).toBe(plain)
      expect(plain).not.toMatch(/\n\n\n|[ \t]\n|\r/)
    }),
  )
})
