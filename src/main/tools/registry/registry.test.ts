import { expect, test } from 'vitest'
import { z } from 'zod'
import { coreTools } from '../tool-lists.ts'
import { createRegistry } from './registry.ts'
import { defineTool } from './tool.ts'

const registry = createRegistry(coreTools({ timeout_s: 30 }))

const aTool = (
  input: z.ZodObject,
  more: {
    name?: string
    unavailable?: () => string
    keys?: string[]
    ownName?: string
  } = {},
) =>
  defineTool({
    name: 'a_tool',
    says: 'Try.',
    input,
    toolset: 'test',
    risk: 'read',
    intent: async () => ({ refused: 'a test' }),
    run: async () => ({ ok: true, text: '' }),
    ...more,
  })

test.for([
  ['read_file', 'read_file'],
  ['READ_FILE', 'read_file'],
  ['read-file', 'read_file'],
  ['ReadFile', 'read_file'],
  ['readFile', 'read_file'],
  ['read file', 'read_file'],
  ['read_file_tool', 'read_file'],
  ['functions.read_file', 'read_file'],
  ['functions.ReadFileTool', 'read_file'],
  ['listFilesTool_tool', 'list_files'],
  ['Write File', 'write_file'],
  ['default_api:read_file', 'read_file'],
  ['reed_file', 'read_file'],
  ['read_files', 'read_file'],
  ['terminl', 'terminal'],
  ['search_file', 'search_files'],
  ['list_file', 'list_files'],
  ['web_search', undefined],
  ['delete_file', undefined],
  ['python', undefined],
  ['', undefined],
  ['_tool', undefined],
  ['read_file'.repeat(1_000), undefined],
] as const)('%s means %s', ([given, meant]) => expect(registry.repairName(given)).toBe(meant))

test('a name of a tool never means another one', () => {
  const input = z.object({})
  const all = createRegistry([aTool(input, { name: 'search_files' }), aTool(input, { name: 'read_file' })])
  const own = (name: string, ownName: string) => aTool(input, { name, ownName })
  all.setOthers(
    [own('mcp__a__search_notes', 'search_notes'), own('mcp__a__list', 'list'), own('mcp__b__list', 'list')],
    ['read_files'],
  )
  expect(all.repairName('search_notes')).toBe('mcp__a__search_notes')
  expect(all.repairName('Search-Notes')).toBe('mcp__a__search_notes')
  expect(all.repairName('list')).toBeUndefined()
  // The tool is switched off, and no other tool replaces it.
  expect(all.repairName('read_files')).toBeUndefined()
  expect(registry.repairName('search_notes')).toBeUndefined()
})

test('a name equally close to two tools means neither', () => {
  const two = createRegistry(['note_a', 'note_b'].map(name => aTool(z.object({}), { name })))
  expect(two.repairName('note_c')).toBeUndefined()
})

test('a tool’s description omits what models need not know', () => {
  expect(registry.specs(['list_files', 'nothing'])).toEqual([
    {
      name: 'list_files',
      description: 'List a folder; depth is how many levels.',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          depth: { type: 'integer', minimum: 1, maximum: 20 },
        },
      },
    },
  ])
  const whole = createRegistry([aTool(z.object({ count: z.int(), inner: z.object({ a: z.string() }) }))])
  expect(whole.specs()[0]!.parameters).toEqual({
    type: 'object',
    properties: {
      count: { type: 'integer' },
      inner: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    },
    required: ['count', 'inner'],
  })
})

test('unavailable tools are not offered', () => {
  const tools = [aTool(z.object({}), { unavailable: () => 'not today' })]
  expect(createRegistry(tools).specs()).toEqual([])
})

test('all tools together take little of a small window', () => {
  const text = registry.specs().map(({ name, description, parameters }) => {
    const keys = Object.keys(parameters['properties'] as object).map(key => `${key}?: integer`)
    return `- ${name}(${keys.join(', ')}): ${description}`
  })
  // About four characters a token: 450 tokens would be 1,800.
  expect(text.join('\n').length).toBeLessThan(1_000)
})

const Shape = z.object({
  text: z.string().min(1),
  count: z.int().min(1).max(9).optional(),
  share: z.number().optional(),
  yes: z.boolean().optional(),
  list: z.array(z.string()).optional(),
  group: z.object({ a: z.int() }).optional(),
  kind: z.enum(['red', 'blue']).optional(),
  old_string: z.string().optional(),
})
const shapes = createRegistry([aTool(Shape)])
const validate = (args: Record<string, unknown>) => shapes.validate('a_tool', args)

test.for([
  [{ count: '3' }, { count: 3 }],
  [{ share: ' -0.5 ' }, { share: -0.5 }],
  [{ yes: 'True' }, { yes: true }],
  [{ list: '["a", "b"]' }, { list: ['a', 'b'] }],
  [{ group: '{"a": 1}' }, { group: { a: 1 } }],
  [{ text: 12 }, { text: '12' }],
  [{ list: [1, 'b'] }, { list: ['1', 'b'] }],
  [{ group: { a: '7' } }, { group: { a: 7 } }],
  [
    { count: ' +4 ', share: '.5' },
    { count: 4, share: 0.5 },
  ],
  [{ count: null, share: '', kind: null }, {}],
  [{ oldString: 'x' }, { old_string: 'x' }],
  [{ old_string: '' }, { old_string: '' }],
  [{ text: '["not", "a", "list"]' }, { text: '["not", "a", "list"]' }],
] as const)('%j is read as %j', ([given, value]) => {
  expect(validate({ text: 't', ...given })).toEqual({ ok: true, value: { text: 't', ...value } })
})

test.for([
  [{}, '"text" (a string) is missing.'],
  [{ txt: 'a' }, '"text" (a string) is missing; did you mean it by "txt"?'],
  [{ text_value: 'a' }, '"text" (a string) is missing; did you mean it by "text_value"?'],
  [{ zebra: 'a' }, '"text" (a string) is missing; this tool takes no "zebra".'],
  [{ text: '' }, '"text" must be at least 1 character, not "".'],
  [{ text: ['a'] }, '"text" must be a string, not ["a"].'],
  [{ text: 't', count: 'many' }, '"count" must be a whole number, not "many".'],
  [{ text: 't', count: 1.5 }, '"count" must be a whole number, not 1.5.'],
  [{ text: 't', count: 12 }, '"count" must be at most 9, not 12.'],
  [{ text: 't', kind: 'green' }, '"kind" must be one of "red", "blue", not "green".'],
  [{ text: 't', list: [true] }, '"list.0" must be a string, not true.'],
  [{ text: 't', yes: 'perhaps' }, '"yes" must be true or false, not "perhaps".'],
  [{ text: 't', group: 'x'.repeat(200) }, `"group" must be an object, not "${'x'.repeat(56)}….`],
] as const)('%j is refused in one line', ([given, reason]) => {
  expect(validate(given)).toEqual({ ok: false, reason: `Wrong arguments: ${reason}` })
})

test('more than three mistakes are counted', () => {
  const result = validate({ text: [], count: 'x', share: 'x', yes: 'x', list: 'x' })
  expect(result).toEqual({ ok: false, reason: expect.stringMatching(/; and 2 more\.$/) })
})

test.for([
  ['read_file', { file: 'a.txt', start_line: '3' }, { path: 'a.txt', offset: 3 }],
  ['read_file', { path: 'a.txt', filename: 'b.txt' }, { path: 'a.txt' }],
  ['write_file', { file_path: 'a.txt', new_text: 'x' }, { path: 'a.txt', content: 'x' }],
  ['write_file', { filePath: 'a.txt', content: 'x', text: 'y' }, { path: 'a.txt', content: 'x' }],
  [
    'patch_file',
    { path: 'a', old_text: 'x', newText: 'y', all: 'true' },
    { path: 'a', old_string: 'x', new_string: 'y', replace_all: true },
  ],
  ['terminal', { cmd: 'ls', timeout: '5' }, { command: 'ls', timeout_s: 5 }],
  ['search_files', { query: 'x', dir: 'src', include: '*.ts' }, { pattern: 'x', path: 'src', glob: '*.ts' }],
] as const)('%s understands %j', ([name, given, value]) => {
  expect(registry.validate(name, given)).toMatchObject({ ok: true, value })
})

test('other names of arguments are not advertised', () => {
  expect(JSON.stringify(registry.specs())).not.toMatch(/new_text|filename|timeout_seconds/)
})

test('arguments that a tool does not take are named, in lists and objects too', () => {
  const known = { text: 't', group: { a: 1, b: 2 }, zebra: 1, 'x"y': null }
  expect(shapes.validate('a_tool', known)).toEqual({
    ok: true,
    value: { text: 't', group: { a: 1 } },
    note: 'Not taken by this tool, and left out: "b", "zebra".',
  })
  expect(shapes.validate('a_tool', { text: 't' })).not.toHaveProperty('note')
})

test('a tool is off, with the reason, while a key that it needs is missing', () => {
  const keys = new Set<string>()
  const locked = createRegistry([aTool(z.object({}), { keys: ['LOOK_KEY', 'FIND_KEY'] })], name =>
    keys.has(name),
  )
  const state = () => [locked.specs().length, locked.get('a_tool')?.unavailable?.()]
  expect(state()).toEqual([
    0,
    'It needs the keys LOOK_KEY and FIND_KEY. Enter it in Settings, under Privacy and network, or with: talaria config set LOOK_KEY',
  ])
  keys.add('LOOK_KEY')
  expect(state()).toEqual([0, expect.stringContaining('the key FIND_KEY.')])
  keys.add('FIND_KEY')
  expect(state()).toEqual([1, undefined])
})

test('a tool that is off for another reason says that one', () => {
  const off = createRegistry([aTool(z.object({}), { keys: ['X'], unavailable: () => 'Off.' })], () => false)
  expect(off.get('a_tool')?.unavailable?.()).toBe('Off.')
})
