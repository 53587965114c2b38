import { describe, expect, test } from 'vitest'
import type { Intent } from '../../tools/tool.ts'
import { decideCall, type Verdict } from './decide.ts'

describe('once a turn has read the text of a stranger', () => {
  const anIntent = (intent: Partial<Intent>): Intent => ({
    title: 'Do something',
    detail: '',
    risk: 'read',
    inWorkspace: true,
    folder: '/home/ada/notes',
    ...intent,
  })
  const aCommand = (command: string) => anIntent({ risk: 'execute', command, detail: command })
  const short = (found: Verdict) =>
    found.verdict === 'ask' && !found.mayAllowInChat ? 'ask each time' : found.verdict
  const of = (source: string, unasked = false) =>
    anIntent({
      risk: 'execute',
      inWorkspace: false,
      mcp: {
        name: `mcp__${source}__send`,
        source,
        pin: `send of ${source} (1)`,
        shown: `send of ${source}`,
        unasked,
      },
    })
  const elsewhere = anIntent({ risk: 'write', path: '/srv/a.md', inWorkspace: false, folder: '/srv' })
  const remembers = anIntent({ risk: 'write', undoable: true })
  const marked = (
    intent: Intent,
    mode: Parameters<typeof decideCall>[0]['mode'],
    grants: readonly string[] = [],
  ) =>
    short(
      decideCall({
        tool: 'any',
        intent,
        mode,
        grants,
        strangers: [{ id: 'text_1', source: 'mails' }],
        rights: { confined: true, whyNot: '', offline: false },
        userHome: '/home/ada',
        platform: 'linux',
      }),
    )

  test.for([
    ['a command', aCommand('curl example.com'), 'ask each time', 'deny'],
    ['a schedule', aCommand('crontab new'), 'ask each time', 'deny'],
    ['a write elsewhere', elsewhere, 'ask each time', 'deny'],
    ['what is remembered', remembers, 'ask each time', 'deny'],
    ['a tool of another server that may run unasked', of('github', true), 'ask each time', 'deny'],
    ['a tool of the same server', of('mails'), 'ask', 'deny'],
    ['one of the same server that may run unasked', of('mails', true), 'allow', 'allow'],
    ['a read in the folder', anIntent({ path: '/home/ada/notes/a.md' }), 'allow', 'allow'],
  ] as const)('%s is asked about in every mode, and denied where nobody is', ([, intent, full, none]) => {
    expect([marked(intent, 'full'), marked(intent, 'none')]).toEqual([full, none])
  })

  test('a grant counts for a tool of that server alone', () => {
    expect(marked(of('mails'), 'ask', ['use send of mails (1)'])).toBe('allow')
    expect(marked(of('mails'), 'ask', ['use send of mails (2)'])).toBe('ask')
    expect(marked(of('github'), 'full', ['use send of github (1)'])).toBe('ask each time')
  })
})
