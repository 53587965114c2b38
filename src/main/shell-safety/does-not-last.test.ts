import { expect, test } from 'vitest'
import { whatDoesNotLast } from './does-not-last.ts'

const said = (command: string) => whatDoesNotLast(command, '/project', '/home/a')

test.for([
  ['cd sub', 'cwd "sub"'],
  ['cd "my notes"', 'cwd "my notes"'],
  ['cd sub && cd deep', 'cwd "sub/deep"'],
  ['cd /project/sub/', 'cwd "sub"'],
  ['cd ..', 'cwd "/"'],
  ['cd', 'cwd "/home/a"'],
  ['cd ~/x && pwd', 'cwd "/home/a/x"'],
  ['cd -- sub; echo moved', 'cwd "sub"'],
  ['make && cd build', 'cwd "build"'],
  ['pushd sub', 'cwd "sub"'],
  // The new folder is not known.
  ['cd "$X"', 'Give cwd with it'],
  ['cd -', 'Give cwd with it'],
  ['popd', 'Give cwd with it'],
  ['cd src*', 'Give cwd with it'],
] as const)('%s: the model is told to give %s', ([command, expected]) => {
  expect(said(command)).toContain(expected)
  expect(said(command)).not.toContain('Put it before')
})

test.for([
  'export TOWN=Bern',
  'TOWN=Bern',
  'A=1 B=2',
  'source venv/bin/activate',
  '. ./activate',
  'set -x',
  'alias ll="ls -l"',
  'unset A',
  'umask 022',
  'nvm use 20',
  'conda activate x',
  'ulimit -n 100',
  'shopt -s globstar',
  'declare -x A=1',
  'npm ci && export CI=1',
  'export A=1; export B=2',
])('%s: the model is told to put it before what needs it', command => {
  expect(said(command)).toMatch(/^This does not last: each call begins in a new shell\. Put it before/)
})

test.for([
  'ls',
  'cd sub && ls',
  'export A=1 && make',
  'source venv/bin/activate && pip list',
  '(cd sub)',
  'A=1 make',
  'export',
  'export -p',
  'alias',
  'umask',
  'set',
  'ulimit -a',
  'nvm ls',
  'conda env list',
  'cd a | cat',
  'trap',
  'export A=1; echo $A',
  'cd sub; echo *',
  'cd sub; echo a > b',
  'pwd',
  '',
  "echo 'cd sub'",
  'if',
])('%j: there is nothing to say', command => expect(said(command)).toBeUndefined())

test('a long row of values with an equals sign in each is read at once', () => {
  expect(said(`${'a='.repeat(5_000)};`)).toBeUndefined()
  expect(said(`X=${'a='.repeat(200)} Y=2`)).toContain('This does not last')
})
