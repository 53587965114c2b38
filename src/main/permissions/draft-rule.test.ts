import { expect, test } from 'vitest'
import { draftRule, type RuleWish } from './draft-rule.ts'

const draft = (given: Partial<RuleWish>) =>
  draftRule(
    {
      effect: 'allow',
      tool: 'terminal',
      folder: '/home/ada/site',
      network: false,
      unconfined: false,
      by: 'settings',
      ...given,
    },
    ['terminal', 'write_file', 'memory'],
  )

test.for([
  ['npm test', ['npm', 'test'], false],
  ['git fetch *', ['git', 'fetch'], true],
  ["grep 'two words' a", ['grep', 'two words', 'a'], false],
  ['  ls   -la ', ['ls', '-la'], false],
  ['./check.sh', ['./check.sh'], false],
] as const)('“%s” is the words %o', ([command, words, more]) => {
  expect(draft({ command })).toMatchObject({ command: words, more })
})

test.for([
  'python3 x.py',
  'python3.12 -m x',
  'xargs rm',
  'find . -exec ls ;',
  'find *',
  'env ls',
  'env',
  'sudo ls',
  'bash',
  'sh -c ls',
  'node x.js',
  'npx tool',
  'npm *',
  'git *',
  'git -c a=b log',
  'timeout 5 ls',
  'eval ls',
  'ssh host',
  'docker run x',
  'awk 1',
  'sed s/a/b/ x',
  '/usr/bin/python3 x',
  'PYTHON x',
  'cd x',
  'git submodule foreach ls',
  'rg --pre=x y',
])('“%s” cannot be allowed for good', command => {
  expect(draft({ command })).toMatchObject({
    refused: expect.stringContaining('cannot be allowed for good') as string,
  })
  expect(draft({ command, effect: 'never' })).toHaveProperty('command')
})

test.for([
  ['npm test; ls', 'one simple command'],
  ['npm test && ls', 'one simple command'],
  ['npm test | cat', 'one simple command'],
  ['npm test > out', 'one simple command'],
  ['echo $(ls)', 'one simple command'],
  ['echo $HOME', 'Write every word of the rule in full'],
  ['ls ~/x', 'Write every word of the rule in full'],
  ['ls *.md', 'Write every word of the rule in full'],
  ['echo "open', 'cannot be read'],
] as const)('“%s” is no rule: %s', ([command, why]) => {
  for (const effect of ['allow', 'never'] as const)
    expect(draft({ command, effect })).toMatchObject({ refused: expect.stringContaining(why) as string })
})

test('a whole tool can be forbidden; files can be allowed in a folder; all commands never', () => {
  expect(draft({ effect: 'never' })).toMatchObject({ tool: 'terminal', more: false })
  expect(draft({ effect: 'never', tool: '*' })).toMatchObject({ tool: '*' })
  expect(draft({ effect: 'ask', tool: 'memory', folder: null })).toMatchObject({ tool: 'memory' })
  expect(draft({ tool: 'write' })).toMatchObject({ tool: 'write' })
  for (const wish of [
    {},
    { tool: '*' },
    { tool: 'memory' },
    { tool: 'write', folder: null },
    { tool: 'unknown' },
  ])
    expect(draft(wish)).toHaveProperty('refused')
  expect(draft({ tool: 'write_file', command: 'ls' })).toHaveProperty('refused')
  expect(draft({ command: 'bin/check', folder: null })).toHaveProperty('refused')
})
