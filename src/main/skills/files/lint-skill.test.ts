import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SkillIssue } from '../../../shared/contract/learned/skills.ts'
import { lintSkill } from './lint-skill.ts'

const steps = '\n# Clean\n\n1. Look at the table.\n2. Mend it.\n'
const skill = (front: string, body = steps) => `---\n${front}\n---\n${body}`
const good = 'name: clean-csv\ndescription: Cleans tables. Use when a CSV file is untidy.'
const found = (text: string, options?: { folder?: string }) =>
  lintSkill(text, options).map(({ line, level, rule }) => `${line} ${level} ${rule}`)
const inBody = (body: string) => found(skill(good, `\n# Clean\n\n1. Look.\n\n${body}\n`))
const described = (description: string) => found(skill(`name: a\ndescription: ${description}`))

test('a skill that follows the specification has no issues', () => {
  const front = `${good}\nlicense: MIT\ncompatibility: Needs git\nallowed-tools: Read Bash(git:*)\nmetadata:\n  tags: a, b`
  expect(lintSkill(skill(front))).toEqual([])
})

test.for([
  ['Clean CSV', '2 error name-format'],
  ['-clean', '2 error name-format'],
  ['clean-', '2 error name-format'],
  ['clean--csv', '2 error name-format'],
  ['here.now', '2 error name-format'],
  ['google_meet', '2 error name-format'],
  ['größe', '2 error name-format'],
  ['a'.repeat(65), '2 error name-length'],
  ['[a]', '1 error name-form'],
] as const)('the name %s is refused', ([name, issue]) => {
  expect(found(skill(`name: ${name}\ndescription: Cleans tables. Use when untidy.`))).toEqual([issue])
})

test.for(['a', 'a-1', '7zip', 'a'.repeat(64)])('the name %s is accepted', name => {
  expect(found(skill(`name: ${name}\ndescription: Cleans tables. Use when untidy.`))).toEqual([])
})

test('a wrong name comes with a suggestion', () => {
  const [issue] = lintSkill(skill('name: Ångström_units of it\ndescription: Cleans tables. Use when untidy.'))
  expect(issue?.text).toContain('Write `angstrom-units-of-it`.')
})

test.for<[string, string, string[]]>([
  ['no front matter', '# Words\n\n1. Go\n', ['1 error front-matter-missing']],
  ['front matter without an end', `---\n${good}\n\n# Words\n\n1. Go\n`, ['4 error front-matter-open']],
  ['a byte order mark', `\uFEFF${skill(good)}`, ['1 error byte-order-mark']],
  ['a blank line above', `\n${skill(good)}`, ['1 error front-matter-late']],
  ['no name', skill('description: Cleans tables. Use when untidy.'), ['1 error name-missing']],
  ['no description', skill('name: a'), ['1 error description-missing']],
  ['an empty description', skill('name: a\ndescription: ""'), ['1 error description-missing']],
  ['a description that is a list', skill('name: a\ndescription: [a]'), ['3 error description-form']],
  [
    'a long description',
    skill(`name: a\ndescription: Use ${'x'.repeat(1_025)}`),
    ['3 error description-length'],
  ],
  ['invalid YAML', skill('name: a\ndescription: Cleans it. Use when: always'), ['3 error yaml']],
  ['an empty compatibility', skill(`${good}\ncompatibility:`), ['4 error compatibility-form']],
  [
    'a long compatibility',
    skill(`${good}\ncompatibility: ${'x'.repeat(501)}`),
    ['4 error compatibility-form'],
  ],
  ['metadata that is no map', skill(`${good}\nmetadata: [a]`), ['4 error metadata-form']],
  ['nested metadata', skill(`${good}\nmetadata:\n  hermes:\n    tags: [a]`), ['4 info metadata-nested']],
  ['a list of tools', skill(`${good}\nallowed-tools: [Read]`), ['4 warning allowed-tools-form']],
  ['fields of others', skill(`${good}\nversion: 1\nauthor: me`), ['4 warning unknown-field']],
  [
    'too much text',
    skill(good, `\n1. x\n${' '.repeat(100_000)}`),
    ['null error too-long', 'null warning body-tokens'],
  ],
  ['no body', skill(good, '\n'), ['null warning body-empty']],
  ['a body without steps', skill(good, '\nTables are nice.\n'), ['null warning body-steps']],
  ['many lines', skill(good, '\n- x'.repeat(501)), ['null warning body-lines']],
  ['many tokens', skill(good, `\n1. ${'word '.repeat(4_100)}`), ['null warning body-tokens']],
  [
    'many signs that are a token each',
    skill(good, `\n1. ${'猫'.repeat(8_000)}`),
    ['null warning body-tokens'],
  ],
])('%s is found', ([, text, issues]) => {
  expect(found(text)).toEqual(issues)
})

test('a quoted field, or one after a long field, is located in its line', () => {
  expect(
    found(skill('description: >\n  Cleans tables.\n  name: in text\n  Use when untidy.\n"name": A')),
  ).toEqual(['6 error name-format'])
})

test.for([
  'Extracts text from PDF files. Use when the user mentions PDFs.',
  'Use for multi-core fuzzing of C projects',
  'Cleans tables before they are imported',
  'Parse FCS files, for flow cytometry data',
  'This skill should be used when the user asks to triage a report',
  'Räumt Tabellen auf und ist für Leute da, die sie brauchen',
  '整理表格，当用户上传文件时使用',
])('the description “%s” is sufficient', description => {
  expect(described(description)).toEqual([])
})

test.for([
  ['Manages notes on a phone and on a desk', '3 warning description-when'],
  ['"ASCII art: pyfiglet, cowsay, boxes, image-to-ascii."', '3 warning description-when'],
  ['Helps', '3 warning description-short'],
  ['Use when encountering any bug', '3 info description-what'],
  ['"TODO: say what it does"', '3 warning placeholder'],
  ['A description', '3 warning placeholder'],
] as const)('the description “%s” is not sufficient', ([description, issue]) => {
  expect(described(description)).toEqual([issue])
})

test.for([
  'On 3 March the user asked for tabs, so use tabs.',
  'Yesterday we found that the server was down.',
  'The user complained about the colours.',
  '- The user asked me to leave the header alone.',
  'In this session I fixed the encoding.',
  'We tried it last week and it failed.',
])('a story is not a rule: %s', line => {
  expect(inBody(line)).toEqual(['10 warning incident'])
})

test.for([
  'If the user asked for tabs, use tabs.',
  'Check what the user said about yesterday in the notes.',
  'Say when the report is due: on 3 March, for instance.',
  'Ask which day was meant: today, yesterday or last week.',
  '`yesterday we found it` is an example of a log line.',
  '```\nThe user asked me to do it. TODO: this\n```',
  '<!-- TODO: later\nYesterday we found it -->',
  'Look for TODO and FIXME comments in the code.',
])('a rule is not a story: %s', line => {
  expect(inBody(line)).toEqual([])
})

test.for([
  'TODO: write this',
  '- [TODO] steps',
  '## TBD',
  'Lorem ipsum dolor sit amet',
  'Your steps go here.',
])('a placeholder is found: %s', line => {
  expect(inBody(line)).toEqual(['10 warning placeholder'])
})

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lint-')), 'clean-csv')
  mkdirSync(folder)
})
afterEach(() => rmSync(dirname(folder), { recursive: true }))
const put = (path: string, text = '') => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const withFiles = (body: string) => found(skill(good, `\n1. Look.\n\n${body}\n`), { folder })

test('the name must equal the folder’s name', () => {
  expect(found(skill(good), { folder })).toEqual([])
  expect(found(skill(good.replace('clean-csv', 'other')), { folder })).toEqual(['2 error name-folder'])
})

test('files referred to must exist', () => {
  put('references/rules.md')
  put('scripts/a b.py')
  expect(
    withFiles(
      [
        'See [rules](references/rules.md#two "The rules"), [it](./scripts/a%20b.py) and `references/rules.md`.',
        'See [gone](references/gone.md), again [gone](references/gone.md).',
        'Run `scripts/gone.py --all`, and look at `assets/x.png`.',
        'Not these: [a](https://x.example/a.md) [b](#b) [c](/etc/c.md) [d](<name>.md) [e](url) `scripts/*.py`.',
        '```\n[f](references/f.md)\n```',
        'Nor `![g](references/g.md)`.',
      ].join('\n'),
    ),
  ).toEqual(['9 warning reference-missing', '10 warning reference-missing', '10 info reference-missing'])
})

test('a link out of the skill is reported, and its target is not read', () => {
  expect(withFiles('See [other](../other/SKILL.md) and [x](references/../../x.md).')).toEqual([
    '8 warning reference-outside',
    '8 warning reference-outside',
  ])
})

test('a file linked only from another file is reported', () => {
  put('references/a.md', 'See [b](b.md), [self](a.md), [c](c.md) and [gone](gone.md).')
  put('references/b.md')
  put('references/c.md')
  const body = 'See [a](references/a.md) and [c](references/c.md).'
  expect(lintSkill(skill(good, `\n1. Look.\n\n${body}\n`), { folder }).map(issue => issue.text)).toEqual([
    '`references/b.md` is only named in `references/a.md`. Name it in SKILL.md too, so that it is found at once.',
  ])
})

test.skipIf(process.platform === 'win32')('symbolic links are not followed', () => {
  writeFileSync(join(dirname(folder), 'out.md'), 'See [b](b.md).')
  put('references/b.md')
  symlinkSync(join(dirname(folder), 'out.md'), join(folder, 'references', 'a.md'))
  expect(withFiles('See [a](references/a.md).')).toEqual([])
})

test('issues are sorted by line, those of the whole file first', () => {
  const text = skill('name: A\ndescription: Cleans tables well and fast', '\nTODO: all\n')
  expect(found(text)).toEqual([
    'null warning body-steps',
    '2 error name-format',
    '3 warning description-when',
    '6 warning placeholder',
  ])
})

test.for([
  ['dates', 'on 3 March the user '.repeat(20_000)],
  ['fences', '```\n'.repeat(100_000)],
  ['ticks', '`'.repeat(300_000)],
  ['uneven ticks', '` ``'.repeat(100_000)],
  ['brackets', '['.repeat(300_000)],
  ['links', '[a]('.repeat(80_000)],
  ['comments', '<!--'.repeat(80_000)],
  ['spaces', ' '.repeat(300_000)],
  ['lines of spaces', '        \n'.repeat(40_000)],
  ['blank lines', `x${'\n'.repeat(300_000)}x`],
  ['lists', '- '.repeat(150_000)],
  ['paths', '`scripts/'.repeat(40_000)],
])('%s without end do no harm', ([, body]) => {
  const issues = lintSkill(skill(good, body), { folder })
  expect(issues.some(issue => issue.rule === 'too-long')).toBe(true)
})

test('any text can be checked', () => {
  const part = fc.constantFrom(
    '---\n',
    'name: ',
    'description: ',
    'metadata:\n',
    '  a: b\n',
    '[a](b.md)',
    '`',
    '```\n',
    'TODO',
    '\n',
    '\r\n',
    '1. x\n',
    '# ',
    '%',
    '<!--',
    '-->',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(part, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 30 }),
      parts => {
        const text = parts.join('')
        const issues = [...lintSkill(text, { folder }), ...lintSkill(`---\n${text}`)]
        issues.forEach(issue => SkillIssue.parse(issue))
        const lines = text.split(/\r\n?|\n/).length + 2
        expect(issues.every(({ line }) => line === null || (line >= 1 && line <= lines))).toBe(true)
      },
    ),
    { numRuns: 150 },
  )
})
