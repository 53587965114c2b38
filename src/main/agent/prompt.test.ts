import fc from 'fast-check'
import tokenizer from 'llama3-tokenizer-js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { formats, type FormatId } from '../models/formats/format-table.ts'
import type { ToolSpec } from '../models/interface/engine.ts'
import { coreTools } from '../tools/tool-lists.ts'
import { createRegistry } from '../tools/registry/registry.ts'
import { createTextStrategy } from './strategies/text.ts'
import { aPrompt } from '../../../testing/agent/a-prompt.ts'
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

const promptOf = (given: Parameters<typeof aPrompt>[0] = {}) =>
  aPrompt({ toolText: presentAsText().present([READ]), tools: [READ], ...given })

const PROJECT = '## About this project (from AGENTS.md)\n'

test('the compact edition, whole', async () => {
  expect(await promptOf({ more: { 800: `${PROJECT}Use tabs.` } })).toMatchInlineSnapshot(`
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
  async format => {
    const tools = createRegistry(coreTools({ timeout_s: 30 })).specs()
    const { present } = createTextStrategy({ format, toolRole: false, edition: 'compact' })
    const tokensOf = async (text: string) => {
      const prompt = await promptOf({ tools, toolText: present(tools), more: { 800: PROJECT + text } })
      return tokenizer.encode(prompt, { bos: false, eos: false }).length
    }
    expect(tools.length).toBeGreaterThan(5)
    expect(await tokensOf('')).toBeLessThan(700)
    expect(await tokensOf('Run the tests first. '.repeat(72))).toBeLessThan(1_500)
  },
)

test('the compact edition says when to load and to mend a skill', async () => {
  const tools = ['skill_view', 'skill_manage'].map(name => ({ name, description: '', parameters: {} }))
  expect(await promptOf({ tools })).toMatch(
    /\n- Act instead of describing.*\n- When a skill .* even for a task that you know\.\n[^]*\n- When a skill was wrong .*mend it/,
  )
})

test('the full edition contains the compact one and more', async () => {
  const compact = (await promptOf()).split('\n').filter(line => !line.startsWith('- Act instead'))
  const full = (await promptOf({ edition: 'full' })).split('\n')
  expect(full).toEqual(expect.arrayContaining(compact))
  expect(full.length).toBeGreaterThan(compact.length)
})

test('a prompt without tools does not mention using them', async () => {
  expect(await promptOf({ tools: [], toolText: '' })).toMatchInlineSnapshot(`
    "You are Talaria, an assistant that runs on this person’s own computer. You are helpful, direct and honest.

    This chat has no tools: you cannot look at files or run anything. Answer in the user’s language.

    Today is 2026-11-21. The working folder is /home/ada/notes."
  `)
})

test('spaces at line ends and the kind of line ending do not change the prompt', async () => {
  const space = fc.constantFrom(' ', '\t', '  \t ')
  const ending = fc.constantFrom('\n', '\r\n', '\r')
  const line = fc.constantFrom('# Soul', '', 'You are Hestia.', '- order')
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1 }), space, ending, async (lines, trailing, newline) => {
      const plain = await promptOf({ more: { 150: lines.join('\n') } })
      const other = lines.map(each => each + trailing).join(newline)
      expect(await promptOf({ more: { 150: other } })).toBe(plain)
      expect(plain).not.toMatch(/\n\n\n|[ \t]\n|\r/)
    }),
  )
})
