import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { floorRefusalOf } from '../floor/refuse-command.ts'
import { riskOf } from '../../agent/approvals/risks.ts'
import { onlyReadsConfined } from '../reads/confined-reads.ts'
import { onlyReadsPlainly } from '../reads/safe-commands.ts'
import { parseShell } from './parse-shell.ts'

const parse = (text: string) => parseShell(text, '/desk', '/home/ada')
/** Every command with its arguments as the shell would pass them; wrappers come first, marked with a plus. */
const commands = (text: string) =>
  parse(text)
    .commands.filter(command => command.name !== '')
    .map(({ wrappers, name, args }) =>
      [...wrappers.map(each => `+${each}`), name, ...args.map(arg => arg.text)].join(' '),
    )

test.for([
  ['ls -la', ['ls -la']],
  ['a && b || c; d & e | f', ['a', 'b', 'c', 'd', 'e', 'f']],
  ['echo \'a b\' "c d" e\\ f', ['echo a b c d e f']],
  ['echo "it is $HOME"', ['echo it is /home/ada']],
  ['echo a\\\nb', ['echo ab']],
  ['echo a # b; c', ['echo a']],
  ['echo a#b', ['echo a#b']],
  ['echo {a,b}{1..2}', ['echo a1 a2 b1 b2']],
  ['echo {} {a}', ['echo {} {a}']],
  ['ls ~/x ~root', ['ls /home/ada/x /root']],
  ["echo $'a\\tb'", ['echo a\tb']],
  ['A=1 B=2 run', ['run']],
  ['X="a b"; run $X "$X"', ['run a b a b']],
  ['run "" end', ['run  end']],
  ['(cd x; a); b', ['cd x', 'a', 'b']],
  ['{ a; b; } > out', ['a', 'b']],
  ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
  ['for i in 1 2; do run $i; done', ['run 1 2']],
  ['for ((i=0; i<3; i++)); do run; done', ['run']],
  ['while read x; do a; done < file', ['read x', 'a']],
  ['case $1 in (a|b) x;; *) y; esac; z', ['x', 'y', 'z']],
  ['f() { a; }; f', ['a', 'f']],
  ['function g { b; }', ['b']],
  ['[[ a < b && ( c || d ) ]] && e', ['e']],
  ['((x = 1 > 0)) && a', ['a']],
  ['echo $(a $(b))', ['b', 'a \uE000', 'echo \uE000']],
  ['echo `a \\`b\\``', ['b', 'a \uE000', 'echo \uE000']],
  ['echo $(( $(a) + 1 ))', ['a', 'echo \uE001']],
  ['diff <(a) <(b)', ['a', 'b', 'diff']],
  ['cat <<EOF | sort\n$(a)\nEOF\nb', ['cat', 'sort', 'a', 'b']],
  ["cat <<'EOF'\n$(a)\nEOF", ['cat']],
  ['cat <<-EOF\n\ttext\n\tEOF\nb', ['cat', 'b']],
  ['sudo -u ada -E env -i A=1 nice -n 5 timeout 10 run x', ['+sudo +env +nice +timeout run x']],
  ['command -v git', ['command -v git']],
  ['time -p run', ['run']],
  ["bash -ec 'a; b'", ['bash -ec a; b', 'a', 'b']],
  ['xargs -n 1 rm -f', ['+xargs rm -f \uE001']],
  ['find . -exec a {} \\; -exec b {} +', ['find . -exec a {} ; -exec b {} +', 'a .', 'b .']],
  ['ls 2>&1 >/dev/null', ['ls']],
  ['a |& b', ['a', 'b']],
  ['echo $(echo inner)', ['echo inner', 'echo inner']],
  ['Über "日本 語"', ['über 日本 語']],
] as const)('%s', ([text, expected]) => {
  expect({ commands: commands(text), unparsed: parse(text).unparsed }).toEqual({
    commands: expected,
    unparsed: undefined,
  })
})

test.for([
  ['echo "open', 'a quotation mark is not closed'],
  ["echo 'open", 'a quotation mark is not closed'],
  ['echo $(open', 'a parenthesis is not closed'],
  ['echo ${open', 'a brace is not closed'],
  ['echo `open', 'a backtick is not closed'],
  ['{ a', 'a brace is not closed'],
  ['a )', 'a parenthesis or brace has no partner'],
  ['a >', 'a redirection leads nowhere'],
  ['a ;; b', 'a character is not expected where it stands'],
  ['$('.repeat(50), 'it is nested too deeply'],
  ['echo {1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}', 'a brace list is too long'],
  ['a {b,~/c}', 'a tilde stands beside a brace list'],
  ['a ~{b,c}', 'a tilde stands beside a brace list'],
  ['a \uE000 b', 'it holds characters that no command needs'],
] as const)('what cannot be read is said so: %s', ([text, reason]) => {
  expect(parse(text).unparsed).toBe(reason)
})

test('the folder follows cd, and comes back at the end of a subshell', () => {
  const folders = parse('cd a; x; (cd /b; y); z; cd; w').commands.map(
    ({ name, folder }) => `${name} ${folder}`,
  )
  expect(folders).toEqual([
    'cd /desk',
    'x /desk/a',
    'cd /desk/a',
    'y /b',
    ' /desk/a',
    'z /desk/a',
    'cd /desk/a',
    'w /home/ada',
  ])
})

test('a nested script that cannot be read does not hide what comes after it', () => {
  const parsed = parse('bash -c "\'" ; reboot')
  expect(parsed.commands.map(command => command.name)).toEqual(['bash', 'reboot'])
  expect(parsed.unparsed).toBe('a quotation mark is not closed')
})

const PIECES = [' ', ' ', '\n', '<<E\n', 'E\n'].concat(
  `rm -rf / ; && || | & $( ) ( { } \` " ' \\ $ \${ $(( )) < > >& <( [[ ]] ~ * ? [ ] , .. if then fi for in do done case
   esac ;; function f() X= $X eval sh -c sudo env xargs find -exec echo $'\\x # ! : = += - % 日`.split(/\s+/),
)
const shellish = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map(parts => parts.join(''))

test('every text gets an answer, never an exception', () => {
  fc.assert(
    fc.property(fc.oneof(shellish, fc.string({ unit: 'binary', maxLength: 80 })), text => {
      const parsed = parse(text)
      floorRefusalOf(parsed, '/home/ada')
      riskOf(parsed)
      onlyReadsConfined(text, parsed)
      onlyReadsPlainly(text, parsed)
    }),
    { numRuns: 1_500 },
  )
})

test.skipIf(!existsSync('/bin/bash'))('words mean what they mean to bash', () => {
  const PARTS = [
    'a',
    'B-',
    ' ',
    "'b c'",
    '"d  e"',
    '\\ ',
    "$'\\x41\\t\\'\\060'",
    '{x,y}',
    '{1..3}',
    '{c..a}',
    '{',
    '}',
    ',',
    '""',
    "''",
  ]
  const MORE = [
    '"\\$\\`\\"\\n"',
    "'\\'",
    '\\\\',
    '=',
    '#',
    '$HOME/',
    '${HOME}x',
    '"${HOME}/x"',
    '~/',
    '${HOME:0:2}',
    "'*'",
    '"[a]"',
    '\\?',
    '%s',
    '@',
    ':',
    '{a,{b,c}}',
    'a\\\nb',
    '日',
  ]
  const lines = fc
    .sample(
      fc.array(fc.constantFrom(...PARTS, ...MORE), { maxLength: 8 }).map(parts => parts.join('')),
      { numRuns: 800, seed: 7 },
    )
    .filter(line => parse(`args ${line}`).unparsed === undefined)
  const script = lines.map(line => `args ${line}`).join('\n')
  const bash = spawnSync('/bin/bash', ['-s'], {
    // An argument has an upper limit, which many cases exceed.
    input: `args() { printf '<%s>' "$@"; printf '\\0'; }\n${script}`,
    env: { HOME: '/home/ada' },
    encoding: 'utf8',
  })
  const expected = bash.stdout.split('\0').slice(0, -1)
  const read = lines.map(line => parse(`args ${line}`).commands[0]?.args.map(arg => `<${arg.text}>`) ?? [])
  expect(read.map(words => words.join('') || '<>')).toEqual(expected)
})

test('a command survives being wrapped in harmless shell around it', () => {
  const around = fc.constantFrom<(command: string) => string>(
    command => `( ${command} )`,
    command => `{ ${command}; }`,
    command => `true && ${command}`,
    command => `if true; then ${command}; fi`,
    command => `for i in 1; do ${command}; done`,
    command => `echo "$( ${command} )"`,
    command => `f() { ${command}; }; f`,
    command =>
      `sudo -n env A=1 ${command.startsWith('rm') ? command : `sh -c '${command.replaceAll("'", `'\\''`)}'`}`,
    command => `bash -c '${command.replaceAll("'", `'\\''`)}'`,
    command => `bash <<'E${command.length}'\n${command}\nE${command.length}\n`,
  )
  fc.assert(
    fc.property(fc.array(around, { maxLength: 4 }), wraps => {
      const text = wraps.reduce((command, wrap) => wrap(command), 'rm -rf /')
      expect([text, floorRefusalOf(parse(text), '/home/ada')]).toEqual([
        text,
        'It would delete everything on this computer.',
      ])
    }),
    { numRuns: 300 },
  )
})

test.for([
  '$(',
  '`',
  '${a:-',
  '$((',
  '((',
  '(',
  '{',
  '"$(',
  "'",
  '\\',
  '<<E ',
  '[[ ',
  'case x in ',
  'f() { ',
  'if ',
  '~',
  '{a,',
  '{',
  'a|',
  'a&',
  'a;',
  ';',
  '\n',
  'X=$X$X;',
  'X="$X$X";',
  'eval ',
  "bash -c '",
  'sudo ',
  'echo {a,b} ',
  '[*',
  '[',
  '*',
  '<(',
  '2>&1 ',
  '$X',
  '"',
  "$'",
  'a\n#',
  '<<A\n',
  '`a`',
  '$(a)',
  '$((1))',
  '${X}',
  'X=1 ',
  'for x in ',
  'xargs ',
])('a hundred thousand characters of %s are answered in one go', piece => {
  const text = piece.repeat(Math.ceil(100_000 / piece.length))
  const parsed = parse(text)
  floorRefusalOf(parsed, '/home/ada')
  riskOf(parsed)
  onlyReadsConfined(text, parsed)
  expect(onlyReadsPlainly(text, parsed)).toBe(false)
})
