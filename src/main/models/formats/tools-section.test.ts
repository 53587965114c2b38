import fc from 'fast-check'
import tokenizer from 'llama3-tokenizer-js'
import { describe, expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import { createToolCallReader } from './reader/call-reader.ts'
import { coreTools } from '../../tools/tool-lists.ts'
import { createRegistry } from '../../tools/registry/registry.ts'
import type { Format, Marked, ToolSpec } from './format-types.ts'
import { piecesOf } from './marked-text.ts'
import { writeToolsSection } from './tools-section.ts'
import { formats, type FormatId } from './format-table.ts'

const all = Object.values(formats).map(format => [format.label, format as Format] as const)
const core = createRegistry(coreTools({ timeout_s: 30 })).specs()
const tokensOf = (text: string) => tokenizer.encode(text, { bos: false, eos: false }).length

/** Tokens for a family that has its own token for each of its marks, as all families with marks do. */
const cost = (section: Marked) =>
  piecesOf(section).reduce(
    (sum, piece) =>
      sum + (typeof piece === 'string' ? tokensOf(piece) : piece.mark.split(/(?<=[>\]])/).length),
    0,
  )

const nested: ToolSpec = {
  name: 'plan',
  description: 'Make a plan.',
  parameters: {
    $schema: 'x',
    type: 'object',
    additionalProperties: false,
    properties: {
      // Parameters may be named like keywords.
      title: { type: 'string', title: 'Title', description: 'What it is called.', minLength: 1 },
      default: { enum: ['a', 'b'], default: 'a' },
      steps: {
        type: 'array',
        maxItems: 9,
        items: {
          type: 'object',
          properties: { hours: { type: 'integer', minimum: 0 }, note: { type: ['string', 'null'] } },
          required: ['hours'],
        },
      },
    },
    required: ['title'],
  },
}
const full = (id: FormatId) => writeToolsSection(formats[id], [nested], 'full').text

describe('the core tools cost at most 900 tokens', () => {
  test.for(all)('%s', ([, format]) => {
    expect(core.length).toBeGreaterThan(5)
    const section = writeToolsSection(format, core, 'full')
    expect(cost(section)).toBeLessThanOrEqual(900)
    for (const { name } of core) expect(section.text).toContain(name)
    const compact = writeToolsSection(format, core, 'compact')
    expect(cost(compact)).toBeLessThan(300)
  })

  test.for(all)('%s, and longer lists declare tools for as long as they fit', ([, format]) => {
    const many = Array.from({ length: 26 }, (_, at) => ({
      ...core[at % 6]!,
      name: `${core[at % 6]!.name}_${at}`,
    }))
    for (const count of [1, 8, 10, 13, 16, 26]) {
      const tools = many.slice(0, count)
      const section = writeToolsSection(format, tools, 'full')
      const isDeclared = !section.text.includes(`\n- ${tools[0]!.name}(`)
      if (isDeclared) expect(cost(section)).toBeLessThanOrEqual(900)
      if (count <= 8) expect(isDeclared).toBe(true)
      if (!isDeclared) expect(section.text.split('\n- ')).toHaveLength(count + 1)
    }
  })
})

test('without tools the section is empty', () => {
  expect(writeToolsSection(formats.hermes, [], 'full')).toEqual({ text: '', markup: [] })
})

test('the full edition for Hermes, whole', () => {
  expect(full('hermes')).toMatchInlineSnapshot(`
    "## Tools
    These are your tools:
    <tools>
    {"name": "plan", "description": "Make a plan.", "parameters": {"type": "object", "properties": {"title": {"type": "string", "description": "What it is called."}, "default": {"enum": ["a", "b"]}, "steps": {"type": "array", "items": {"type": "object", "properties": {"hours": {"type": "integer"}, "note": {"type": ["string", "null"]}}, "required": ["hours"]}}}, "required": ["title"]}}
    </tools>

    To use a tool, write exactly this and then stop:
    <tool_call>
    {"name": "tool_name", "arguments": {"key": "value"}}
    </tool_call>
    The result comes back as a message that starts with [Tool Result: tool_name]. Several calls follow one another."
  `)
})

test('the other ways to declare', () => {
  expect(full('mistral').split('\n')[2]).toMatchInlineSnapshot(
    `"[AVAILABLE_TOOLS][{"name": "plan", "description": "Make a plan.", "parameters": {"type": "object", "properties": {"title": {"type": "string", "description": "What it is called."}, "default": {"enum": ["a", "b"]}, "steps": {"type": "array", "items": {"type": "object", "properties": {"hours": {"type": "integer"}, "note": {"type": ["string", "null"]}}, "required": ["hours"]}}}, "required": ["title"]}}][/AVAILABLE_TOOLS]"`,
  )
  expect(full('gemma3').split('```')[1]).toMatchInlineSnapshot(`
    "python
    def plan(title: str, default: Literal["a", "b"] = None, steps: list[dict] = None) -> str:
        """Make a plan.

        Args:
            title: What it is called.
            steps: {hours: integer, note?: string|null}[]
        """
    "
  `)
  expect(full('harmony').split('\n\nTo use')[0]).toMatchInlineSnapshot(`
    "## Tools
    These are your tools:
    namespace functions {

    // Make a plan.
    type plan = (_: {
    // What it is called.
    title: string,
    default?: "a"|"b",
    steps?: {hours: number, note?: string|null}[],
    }) => any;

    } // namespace functions"
  `)
  expect(full('gemma4').split('\n')[2]).toMatchInlineSnapshot(
    `"<|tool>declaration:plan{description:<|"|>Make a plan.<|"|>,parameters:{properties:{title:{description:<|"|>What it is called.<|"|>,type:<|"|>STRING<|"|>},default:{enum:[<|"|>a<|"|>,<|"|>b<|"|>]},steps:{items:{properties:{hours:{type:<|"|>INTEGER<|"|>},note:{type:[<|"|>STRING<|"|>,<|"|>NULL<|"|>]}},required:[<|"|>hours<|"|>],type:<|"|>OBJECT<|"|>},type:<|"|>ARRAY<|"|>}},required:[<|"|>title<|"|>],type:<|"|>OBJECT<|"|>}}<tool|>"`,
  )
})

test('the compact edition, whole, where results are messages of their own', () => {
  expect(writeToolsSection(formats.llama3, [nested], 'compact', true).text).toMatchInlineSnapshot(`
    "## Tools
    To use a tool, write exactly this and nothing else:
    {"name": "tool_name", "parameters": {"key": "value"}}
    The result comes back as the next message.

    - plan(title: string, default?: "a"|"b", steps?: {hours: integer, note?: string|null}[]): Make a plan."
  `)
})

test.for(all)('%s: the example call in the prompt can be read by our reader', ([, format]) => {
  const tools = [
    { name: 'tool_name', parameters: { type: 'object', properties: { key: { type: 'string' } } } },
  ]
  for (const edition of ['full', 'compact'] as const) {
    const { text } = writeToolsSection(format, [nested], edition)
    const shown = /exactly this [^:]*:\n([^]*?)\nThe result comes back/.exec(text)?.[1] ?? ''
    const reader = createToolCallReader({ tools })
    expect([...reader.push(shown), ...reader.end()]).toEqual([
      expect.objectContaining({ type: 'call', name: 'tool_name', arguments: { key: 'value' } }),
    ])
  }
})

test('marks come from the format only, whatever a description contains, and the prompt keeps them', () => {
  const evil = fc
    .array(
      fc.constantFrom(
        '</tools>',
        '<tool_call>',
        '<|"|>',
        '[TOOL_CALLS]',
        '"""',
        '```',
        '\r\n',
        '\n\n\n',
        ' ',
        'é',
        '*/',
      ),
      { maxLength: 6 },
    )
    .map(parts => `Says ${parts.join('')} so`)
  const { met, atLeast } = countCases<'without a mark of its own'>()
  fc.assert(
    fc.property(
      fc.constantFrom(...all),
      fc.constantFrom('full', 'compact'),
      evil,
      ([, format], edition, description) => {
        const says = (text: string) =>
          writeToolsSection(
            format,
            [
              {
                ...nested,
                description: text,
                parameters: { ...nested.parameters, properties: { p: { description: text } } },
              },
            ],
            edition,
          )
        const marksOf = (section: Marked) => section.markup.map(([from, to]) => section.text.slice(from, to))
        const { text } = says(description)
        if (!description.includes('<|"|>')) {
          met('without a mark of its own')
          expect(marksOf(says(description))).toEqual(marksOf(says('Says so')))
        }
        expect(text).toBe(text.trim())
        expect(text).not.toMatch(/\n\n\n|[ \t]\n|\r/)
      },
    ),
  )
  atLeast({ 'without a mark of its own': 40 })
})
