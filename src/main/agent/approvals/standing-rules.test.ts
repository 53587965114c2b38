import { describe, expect, test } from 'vitest'
import type { Intent } from '../../tools/registry/tool.ts'
import { decideCall } from './decide.ts'
import {
  aCommand,
  allow,
  aRule,
  ask,
  CONFINED,
  decideUnder,
  FOLDER,
  LOOSE,
  MODES,
  never,
  verdict,
} from '../../../../testing/agent/a-rule.ts'

describe('an allow rule', () => {
  test('lets exactly its words run in its folder, and says so', () => {
    expect(decideUnder('npm test', [allow('npm test')])).toEqual({
      verdict: 'allow',
      ground: { by: 'rule', rules: ['“npm test” in /home/ada/notes'] },
      access: { profile: 'work', network: false, obeyed: 'nothing' },
    })
  })

  test.for([
    'npm test --watch',
    'npm test; rm a',
    'npm test && rm a',
    'npm test | tee out',
    'npm test > out',
    'npm test < in',
    'npm test &',
    'npm test\nrm a',
    'npm tests',
    'npm',
    'X=1 npm test',
    'PATH=./bin npm test',
    'env npm test',
    'sudo npm test',
    'nice npm test',
    'sh -c "npm test"',
    '(npm test)',
    'for i in 1; do npm test; done',
    '/usr/bin/npm test',
    './npm test',
    'NPM test',
    'npm $X',
    'npm te*t',
    '$(echo npm) test',
    'npm() { rm a; }; npm test',
    'cd .. && npm test',
    'echo "npm test',
  ])('does not allow “%s”', command => {
    expect(verdict(command, [allow('npm test')])).toBe('ask')
  })

  test('counts only if every simple command is allowed', () => {
    const rules = [allow('npm test'), allow('npm run lint', { network: true })]
    expect(decideUnder('npm run lint && npm test', rules)).toMatchObject({
      verdict: 'allow',
      ground: {
        by: 'rule',
        rules: ['“npm run lint” in /home/ada/notes', '“npm test” in /home/ada/notes'],
      },
      // Network only if every rule has it.
      access: { profile: 'work', network: false },
    })
    expect(verdict('npm run lint && npm test && npm run e2e', rules)).toBe('ask')
  })

  test('holds in its folder and below, and nowhere else', () => {
    const rules = [allow('npm test')]
    expect(verdict(aCommand('npm test', { folder: `${FOLDER}/site` }), rules)).toBe('allow')
    expect(verdict(aCommand('npm test', { folder: `${FOLDER}-private` }), rules)).toBe('ask')
    expect(verdict(aCommand('npm test', { folder: '/home/ada' }), rules)).toBe('ask')
    expect(verdict(aCommand('npm test', { folder: '/srv' }), [allow('npm test', { folder: null })])).toBe(
      'allow',
    )
  })

  test('with “*” also holds with further words, but not with flags, assignments and paths that leave', () => {
    const rules = [allow('git fetch *')]
    const runs = ['git fetch', 'git fetch origin', 'git fetch origin main']
    expect(runs.map(each => verdict(each, rules))).toEqual(Array(3).fill('allow'))
    const asks = [
      'git fetch --upload-pack=x',
      'git fetch origin --exec=x',
      'git fetch a=b',
      'git fetch +main',
      'git fetch "$X"',
      'git -c a=b fetch',
    ]
    expect(asks.map(each => verdict(each, rules))).toEqual(Array(asks.length).fill('ask'))
    for (const command of ['cat /etc/hostname', 'cat ../x', 'cat ~/x', 'cat $HOME/x'])
      expect(verdict(aCommand(command), [allow('cat *')])).toBe('ask')
    expect(verdict(aCommand('cat a.md', { inWorkspace: false }), [allow('cat *')])).toBe('ask')
  })

  test('names a script by the place where it is', () => {
    const rules = [allow('./check.sh')]
    expect(verdict('./check.sh', rules)).toBe('allow')
    expect(verdict('../notes/check.sh', rules)).toBe('allow')
    expect(verdict(aCommand('./check.sh', { folder: `${FOLDER}/sub`, workspace: FOLDER }), rules)).toBe('ask')
    expect(verdict(aCommand('../check.sh', { folder: `${FOLDER}/sub`, workspace: FOLDER }), rules)).toBe(
      'allow',
    )
  })

  test('does not help a command to keys, to the floor or past the offline lock, and says so', () => {
    expect(decideUnder('cat .env', [allow('cat .env')])).toMatchObject({
      verdict: 'ask',
      reason: expect.stringContaining(
        'Your rule “cat .env” in /home/ada/notes does not cover that.',
      ) as string,
      folderRules: [],
    })
    expect(verdict('rm -rf /', [allow('rm -rf /')])).toBe('deny')
    const locked = { ...LOOSE, offline: true }
    expect(decideUnder('npm test', [allow('npm test', { unconfined: true })], 'ask', locked)).toMatchObject({
      verdict: 'ask',
      reason: expect.stringContaining('offline lock') as string,
    })
    expect(
      decideUnder('npm test', [allow('npm test', { network: true })], 'ask', { ...CONFINED, offline: true }),
    ).toMatchObject({ access: { network: false } })
  })

  test('counts where nothing confines commands only if the user wanted that', () => {
    expect(decideUnder('npm test', [allow('npm test')], 'ask', LOOSE)).toMatchObject({
      verdict: 'ask',
      reason: expect.stringContaining('holds only where commands are confined') as string,
    })
    expect(decideUnder('npm test', [allow('npm test', { unconfined: true })], 'ask', LOOSE)).toMatchObject({
      access: 'unconfined',
    })
    // The rule never removes confinement that exists.
    expect(decideUnder('npm test', [allow('npm test', { unconfined: true })])).toMatchObject({
      access: { profile: 'work' },
    })
  })

  test('holds where nobody is there to ask, but not in a chat without tools', () => {
    const rules = [allow('npm test')]
    expect(verdict('npm test', rules, 'none')).toBe('allow')
    expect(verdict('npm test', rules, 'reads')).toBe('allow')
    expect(verdict('npm test', rules, 'chat_only')).toBe('deny')
    expect(decideUnder('npm test', rules, 'full')).toMatchObject({
      ground: { by: 'mode' },
    })
  })

  test('of a hand-edited file does not count for a program that runs others', () => {
    expect(verdict('python3 x.py', [allow('python3 x.py')])).toBe('ask')
    expect(verdict('xargs ls', [allow('xargs ls')])).toBe('ask')
  })

  test('for changing files holds in its folder, but not for settings files of git and projects', () => {
    const aWrite = (path: string): Intent => ({
      title: 'Write',
      detail: '',
      risk: 'write',
      inWorkspace: true,
      folder: FOLDER,
      path,
    })
    const rules = [aRule({ tool: 'write', folder: FOLDER })]
    expect(verdict(aWrite(`${FOLDER}/a.md`), rules)).toBe('allow')
    expect(verdict(aWrite(`${FOLDER}/.git/config`), rules)).toBe('ask')
    expect(verdict(aWrite(`${FOLDER}/.env`), rules)).toBe('ask')
    expect(verdict(aWrite('/home/ada/other/a.md'), rules)).toBe('ask')
    expect(
      verdict(aWrite(`${FOLDER}/old/a.md`), [
        ...rules,
        never('x', { command: undefined as never, tool: 'write', folder: `${FOLDER}/old` }),
      ]),
    ).toBe('deny')
  })
})

describe('a never rule', () => {
  test.for([
    'git push',
    'git push origin main',
    'git -C sub push',
    'git -c a=b push',
    'git --no-pager push -f',
    '/usr/bin/git push',
    'sudo git push',
    'env X=1 git push',
    'X=1 git push',
    'true && git push',
    'ls | git push',
    'sh -c "git push"',
    'echo $(git push)',
    'if true; then git push; fi',
    'find . -exec git push ;',
    "g'it' push",
    'echo x | xargs git push',
  ])('refuses “%s” in every mode', command => {
    for (const mode of MODES) expect(verdict(command, [never('git push')], mode)).toBe('deny')
  })

  test.for(['git status', 'git commit -m push', 'echo git push', 'git log', 'gitk push'])(
    'does not refuse “%s”',
    command => {
      expect(verdict(command, [never('git push')], 'full')).toBe('allow')
    },
  )

  test('finds its flags wherever they are', () => {
    const rules = [never('git push --force')]
    expect(verdict('git push origin main --force', rules, 'full')).toBe('deny')
    expect(verdict('git push --force=yes', rules, 'full')).toBe('deny')
    expect(verdict('git push origin main', rules, 'full')).toBe('allow')
  })

  test('asks where a word is not known in advance, also with full access', () => {
    for (const command of ['$GIT push', 'git $X', 'git "$(cat x)"'])
      expect(verdict(command, [never('git push')], 'full')).toBe('ask')
    expect(verdict('echo $X', [never('git push')], 'full')).toBe('allow')
  })

  test('holds in its folder, wherever the command begins', () => {
    const rules = [never('npm publish', { folder: `${FOLDER}/site` })]
    expect(verdict('cd site && npm publish', rules, 'full')).toBe('deny')
    expect(verdict('npm publish', rules, 'full')).toBe('allow')
  })

  test('says which rule it was', () => {
    expect(decideUnder('git push', [never('git push')], 'full')).toEqual({
      verdict: 'deny',
      by: 'rule',
      rules: ['“git push”'],
      reason: 'A rule of the user forbids it: “git push”.',
    })
  })

  test('counts on Windows by its words', () => {
    const found = decideCall({
      tool: 'terminal',
      intent: aCommand('git  push origin'),
      mode: 'full',
      grants: [],
      rules: [never('git push')],
      rights: LOOSE,
      platform: 'win32',
    })
    expect(found.verdict).toBe('deny')
  })
})

test('an ask rule asks in every mode, each time, and is denied where nobody is there', () => {
  const rules = [ask('npm publish'), allow('npm publish')]
  for (const mode of ['ask', 'reads', 'full'] as const)
    expect(decideUnder('npm publish', rules, mode)).toMatchObject({
      verdict: 'ask',
      mayAllowInChat: false,
      reason: 'Your rule “npm publish” asks each time.',
    })
  expect(verdict('npm publish', rules, 'none')).toBe('deny')
})

test('what asks in every mode says so, and is not said to be allowed by --approve all', () => {
  const known = aCommand('npm test')
  const unread = aCommand('cat <<< "$((')
  expect(decideUnder(known, [])).not.toHaveProperty('inEveryMode')
  expect(decideUnder(known, [], 'none')).toMatchObject({
    reason: expect.stringContaining('start with --approve reads or'),
  })
  for (const mode of ['ask', 'reads', 'full'] as const)
    expect(decideUnder(unread, [], mode)).toMatchObject({ verdict: 'ask', inEveryMode: true })
  const denied = decideUnder(unread, [], 'none')
  expect(denied).toMatchObject({
    reason: expect.stringContaining('It asks in every mode, with --approve all too.'),
  })
  expect(denied).not.toMatchObject({ reason: expect.stringContaining('start with') })
})
