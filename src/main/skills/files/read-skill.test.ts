import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SkillFields, SkillIssue } from '../../../shared/contract/learned/skills.ts'
import { readSkillText } from './read-skill.ts'

const read = (...lines: string[]) => readSkillText(`${lines.join('\n')}\n`, 'its-folder')
const front = (...lines: string[]) => read('---', ...lines, '---', '', '# Title', '', 'First words.')
const rules = (text: { issues: { line: number | null; rule: string }[] }) =>
  text.issues.map(issue => [issue.line, issue.rule])

test('a plain skill is read without issues', () => {
  const text = front(
    'name: clean-csv',
    'description: Cleans CSV files. Use when a table is untidy.',
    'license: MIT',
    'metadata:',
    '  tags: tables, csv',
    '  platforms: macos linux',
    '  requires_toolsets: terminal files',
  )
  expect(text).toMatchObject({
    fields: {
      name: 'clean-csv',
      description: 'Cleans CSV files. Use when a table is untidy.',
      tags: ['tables', 'csv'],
      platforms: ['macos', 'linux'],
      requires: ['terminal', 'files'],
      licence: 'MIT',
    },
    body: '\n# Title\n\nFirst words.\n',
    bodyLine: 10,
    issues: [],
  })
})

test('fields of other agents are understood, and unknown ones are kept', () => {
  const text = front(
    'name: apple-notes',
    'description: "Manage Notes: create, search."',
    'version: 1.0.0',
    'revision: 1.0',
    'weight: 3',
    'disable-model-invocation: true',
    'platforms: [macOS, Darwin, win32, GNU/Linux]',
    'allowed-tools:',
    '  - Read',
    '  - Bash(git add:*)',
    'metadata:',
    '  hermes:',
    '    tags: [Notes, "to do, later", notes]',
    '    requires_toolsets: [terminal]',
    '    requires_tools: [web_search]',
    'prerequisites:',
    '  commands: [memo]',
  )
  expect(text.issues).toEqual([])
  expect(text.fields).toMatchObject({
    tags: ['Notes', 'to do, later'],
    platforms: ['macos', 'windows', 'linux'],
    requires: ['terminal', 'web_search'],
  })
  expect({ ...text.more }).toMatchObject({
    version: '1.0.0',
    revision: '1.0',
    weight: 3,
    'disable-model-invocation': true,
    'allowed-tools': ['Read', 'Bash(git add:*)'],
    prerequisites: { commands: ['memo'] },
  })
  expect(Object.keys(text.more)).not.toContain('platforms')
})

test.for([
  ['a line', 'tags: one, two words', ['one', 'two words']],
  ['a list', 'tags: [one, two words]', ['one', 'two words']],
  ['a list below', 'tags:\n- one\n- two words', ['one', 'two words']],
  ['numbers', 'tags: [2024, 1.0, true]', ['2024', '1.0', 'true']],
  ['nothing', 'tags:', []],
  ['a map', 'tags: {a: b}', []],
] as const)('tags may be %s', ([, line, tags]) => {
  expect(front('name: a', 'description: b', line).fields.tags).toEqual(tags)
})

test('a skill for every system lists no platforms', () => {
  expect(front('name: a', 'description: b', 'platforms: all').fields.platforms).toEqual([])
})

test.for([
  [
    'folded',
    ['description: >', '  One line', '  and more.', '', '  Then again.'],
    'One line and more.\nThen again.',
  ],
  ['kept', ['description: |-', '  One line', '    and more.'], 'One line\n  and more.'],
  ['quoted over lines', ['description: "One line', '  and more."'], 'One line and more.'],
  ['plain over lines', ['description: One line', '  and more.'], 'One line and more.'],
  ['single quotes', ["description: 'It''s here: now'"], "It's here: now"],
  ['escapes', [String.raw`description: "A \"quote\" \u2014 here"`], 'A "quote" — here'],
  ['with a comment', ['# above', 'description: Short # said aside'], 'Short'],
] as const)('a description that is %s', ([, lines, description]) => {
  const text = front('name: a', ...lines)
  expect([text.fields.description, text.issues]).toEqual([description, []])
})

test('a byte order mark, Windows line endings and a rule in the body make no difference', () => {
  const text = readSkillText(
    '\uFEFF---\r\nname: a\r\ndescription: >\r\n  b\r\n  --- c\r\n---\r\nBody\r\n---\r\nrest',
    'x',
  )
  expect(text.fields).toMatchObject({ name: 'a', description: 'b --- c' })
  expect([text.body, text.bodyLine, rules(text)]).toEqual([
    'Body\r\n---\r\nrest',
    7,
    [[1, 'byte-order-mark']],
  ])
})

test('only a separate line closes the front matter', () => {
  const text = read('---', 'name: a', 'description: before --- after', '# --- note', '---   ', 'Body')
  expect([text.fields.description, text.body]).toEqual(['before --- after', 'Body\n'])
})

test('without front matter the folder gives the name and the first paragraph the description', () => {
  const text = read(
    '# Deploy',
    '',
    '[![build](b.svg)](x)',
    '<!-- not',
    'this -->',
    '```',
    'nor this',
    '```',
    'Brings **the site** to',
    'the [server](https://x.example).',
    '',
    'More.',
  )
  expect(text.fields).toMatchObject({ name: 'its-folder', description: 'Brings the site to the server.' })
  expect([rules(text), text.bodyLine]).toEqual([[[1, 'front-matter-missing']], 1])
})

test('a missing name or description is made up, with an issue', () => {
  const text = front('license: MIT')
  expect(text.fields).toMatchObject({ name: 'its-folder', description: 'First words.', licence: 'MIT' })
  expect(rules(text)).toEqual([
    [1, 'name-missing'],
    [1, 'description-missing'],
  ])
})

test('unclosed front matter ends after its fields', () => {
  const text = read('---', 'name: a', 'description: b', '', '# Title', 'note: not a field')
  expect(text.fields).toMatchObject({ name: 'a', description: 'b' })
  expect([text.body, text.bodyLine]).toEqual(['\n# Title\nnote: not a field\n', 4])
  expect(rules(text)).toEqual([[4, 'front-matter-open']])
})

test('a rule above ordinary Markdown is not front matter', () => {
  expect(read('---', 'Just words.', '', 'More.').fields).toMatchObject({ description: 'Just words.' })
})

test.for([
  ['no space after the colon', 'description:"Does this: and that"', 'Does this: and that', 3],
  ['a colon in plain text', 'description: Does this: and that # or not', 'Does this: and that # or not', 3],
  ['a quote that never ends', 'description: "Does this', 'Does this', 3],
  ['text behind the quote', 'description: "Does" this', '"Does" this', 3],
  ['a sign that means something', 'description: @all do this', '@all do this', 3],
  ['a line that is not set in', 'description: Does this\nand that: or so it seems', 'Does this', 3],
] as const)('%s is tolerated, and the other fields are unaffected', ([, line, description, at]) => {
  const text = front('name: a', line, 'metadata:', '  tags: [x, y]')
  expect(text.fields).toMatchObject({ name: 'a', description, tags: ['x', 'y'] })
  if (!line.includes('\n')) expect(rules(text)).toEqual([[at, 'yaml']])
})

test('tabs in place of spaces are tolerated', () => {
  const text = front('name: a', 'description:\tb', 'metadata:', '\ttags: [x, y]', '\tcategory: c')
  expect(text.fields).toMatchObject({ name: 'a', description: 'b', tags: ['x', 'y'] })
  expect(text.more['metadata']).toMatchObject({ category: 'c' })
  expect(rules(text)).toContainEqual([4, 'yaml'])
})

test('one invalid field in metadata leaves the others', () => {
  const text = front('name: a', 'description: b', 'metadata:', '  author: @me', '  tags: x, y')
  expect(text.fields.tags).toEqual(['x', 'y'])
  expect(text.more['metadata']).toMatchObject({ author: '@me' })
})

test('of a repeated field the first value counts', () => {
  const text = front('name: a', 'description: b', 'name: c')
  expect([text.fields.name, rules(text)]).toEqual(['a', [[4, 'yaml']]])
})

test('names that reach for a prototype are dropped', () => {
  const text = front(
    'name: a',
    'description: b',
    '__proto__: {polluted: yes}',
    'constructor: {prototype: {polluted: yes}}',
    'metadata: {__proto__: {polluted: yes}, tags: [x]}',
  )
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  expect(Object.keys(text.more)).toEqual(['metadata'])
  expect([Object.getPrototypeOf(text.more), Object.getPrototypeOf(text.more['metadata'])]).toEqual([
    null,
    null,
  ])
  expect(Object.keys(text.more['metadata'] as object)).toEqual(['tags'])
  expect(rules(text)).toEqual([
    [4, 'field-name'],
    [5, 'field-name'],
    [6, 'field-name'],
  ])
  const broken = front('name: a', 'description: b: c', '__proto__:', '  polluted: yes')
  expect(Object.keys(broken.more)).toEqual([])
})

test('YAML tags have no effect', () => {
  const text = front(
    'name: !!js/function "a"',
    'description: !!binary aGk=',
    'x: !!set {a}',
    'y: !!timestamp 2024-01-01',
  )
  expect(text.fields).toMatchObject({ name: 'a', description: 'aGk=' })
  expect(text.more).toMatchObject({ y: '2024-01-01' })
})

test('multiplying references are not followed', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [here, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg'].map(pair => pair.split('')))
    bomb.push(`${here}: &${here} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`)
  const text = front('name: a', 'description: b', ...bomb)
  expect(text.fields).toMatchObject({ name: 'a', description: 'b' })
  expect(JSON.stringify(text.more).length).toBeLessThan(100_000)
  expect(front('name: a', 'description: b', 'x: &x [*x]').fields).toMatchObject({
    name: 'a',
    description: 'b',
  })
})

test.for([
  ['deep lists', `x: ${'['.repeat(30_000)}`],
  ['deep maps', `x: ${'{a: '.repeat(15_000)}`],
  ['deep dashes', `x:\n  ${'- '.repeat(30_000)}`],
  ['very many fields', Array.from({ length: 20_000 }, (_, n) => `k${n}:`).join('\n')],
  ['very many bad fields', Array.from({ length: 20_000 }, (_, n) => `k${n}: @`).join('\n')],
  ['a very long field', `x: ${'"a\\'.repeat(100_000)}`],
  ['spaces within', `x: a${' '.repeat(30_000)}b\ny: [a${' '.repeat(2_000)}b]`],
  ['blank lines', '\n'.repeat(300_000)],
  ['spaces', ' '.repeat(300_000)],
  ['what only begins like a rule', `x:\n${'---x\n'.repeat(60_000)}`],
])('%s do not prevent a skill from being read', ([, line]) => {
  const text = readSkillText(`---\nname: a\ndescription: b\n${line}\n---\nBody`, 'x')
  expect([text.fields.name, text.fields.description, text.body]).toEqual(['a', 'b', 'Body'])
})

test('values beyond the limits are cut, with an issue', () => {
  const text = front(
    `name: a`,
    `description: ${'x'.repeat(5_000)}`,
    `tags: [${Array.from({ length: 60 }, (_, n) => `t${n}`).join(',')}]`,
  )
  expect(SkillFields.safeParse(text.fields).success).toBe(true)
  expect(text.issues.map(issue => issue.text)).toEqual([
    'The description is far too long; only the first 4000 characters are used. Shorten it.',
    'The list of tags is far too long; only the first 40 entries of 60 characters are used. Shorten it.',
  ])
})

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '---',
        '---\n',
        'name: a\n',
        'description:"b',
        'description: |\n',
        '  - ',
        'tags: [a, ',
        ']',
        '}',
        '{',
        '&a ',
        '*a',
        '!!x ',
        '\t',
        '\r\n',
        '\r',
        '\n',
        '# ',
        '"',
        "'",
        '? ',
        ': ',
        '__proto__: ',
        'metadata:\n',
        '  hermes:\n',
        '    tags: x\n',
        '\uFEFF',
        '%YAML 1.1\n',
        '...\n',
      ),
      fc.string({ maxLength: 8, unit: 'binary' }),
    ),
    { maxLength: 30 },
  )
  .map(parts => parts.join(''))

test('any text can be read, fits the schema, and its body is its end', () => {
  fc.assert(
    fc.property(hostile, fc.boolean(), (middle, isFramed) => {
      const text = isFramed ? `---\n${middle}\n---\nbody` : middle
      const result = readSkillText(text, 'x')
      SkillFields.parse(result.fields)
      result.issues.forEach(issue => SkillIssue.parse(issue))
      expect(text.endsWith(result.body)).toBe(true)
      const end = text.includes('\n') ? '\n' : '\r'
      const above = text.slice(0, text.length - result.body.length).replace(/^\uFEFF/, '')
      const isCutShort = above !== '' && !above.endsWith(end)
      expect(result.bodyLine).toBe(above.split(end).length + (isCutShort ? 1 : 0))
      JSON.stringify(result)
    }),
    { numRuns: 1_000 },
  )
})
