import { describe, expect, test } from 'vitest'
import type { Intent } from '../../tools/registry/tool.ts'
import type { PermissionRule } from '../../../shared/contract/runs/permissions.ts'
import { decideCall, type Verdict } from './decide.ts'
import { grantFor } from './grants.ts'

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
  const asking = (source: string) =>
    anIntent({ risk: 'network', models: { away: 'Big (big.example)', pin: 'Big (big.example)', source } })
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
    ['a question to models elsewhere', asking('team'), 'ask each time', 'deny'],
    ['a question to the models that wrote it', asking('mails'), 'allow', 'deny'],
    ['a read in the folder', anIntent({ path: '/home/ada/notes/a.md' }), 'allow', 'allow'],
  ] as const)('%s is asked about in every mode, and denied where nobody is', ([, intent, full, none]) => {
    expect([marked(intent, 'full'), marked(intent, 'none')]).toEqual([full, none])
  })

  test('a grant counts for a tool of that server alone', () => {
    expect(marked(of('mails'), 'ask', ['use send of mails (1)'])).toBe('allow')
    expect(marked(of('mails'), 'ask', ['use send of mails (2)'])).toBe('ask')
    expect(marked(asking('mails'), 'ask', ['ask the models Big (big.example)'])).toBe('allow')
    expect(marked(asking('mails'), 'ask', ['ask the models Other'])).toBe('ask')
    expect(marked(of('github'), 'full', ['use send of github (1)'])).toBe('ask each time')
  })
})

describe('a command that only reads, once the chat has read the text of a stranger', () => {
  const FOLDER = '/home/ada/notes'
  const intent = (command: string, more: Partial<Intent> = {}): Intent => ({
    title: 'Run a command',
    detail: command,
    risk: 'execute',
    inWorkspace: true,
    folder: FOLDER,
    workspace: FOLDER,
    command,
    ...more,
  })
  const MARK = [{ id: 'text_1', source: 'the server mails' }]
  type Given = Partial<Parameters<typeof decideCall>[0]>
  const decided = (command: string, given: Given = {}, more: Partial<Intent> = {}) =>
    decideCall({
      tool: 'terminal',
      intent: intent(command, more),
      mode: 'full',
      grants: [],
      strangers: MARK,
      rights: { confined: true, whyNot: '', offline: false },
      userHome: '/home/ada',
      platform: 'linux',
      ...given,
    })
  const how = (found: Verdict) => (found.verdict === 'allow' ? found.access : found.verdict)
  const BARE = { rights: { confined: false, whyNot: 'Nothing confines.', offline: false } }
  const LOOK = { profile: 'look' }
  const rule = (command: string[]): PermissionRule => ({
    id: 'rule_1',
    effect: 'allow',
    tool: 'terminal',
    command,
    more: true,
    folder: FOLDER,
    network: true,
    unconfined: true,
    by: 'card',
    at: 0,
  })
  const grants = (command: string) =>
    (['confined', 'network', 'unconfined'] as const).map(choice =>
      grantFor('terminal', intent(command), choice)!,
    )

  const WAYS: [string, Given][] = [
    ['full access', { mode: 'full' }],
    ['the mode reads', { mode: 'reads' }],
    ['grants of the chat', { mode: 'ask', grants: grants('cat notes.md') }],
    ['grants of a schedule, where nobody is', { mode: 'none', grants: grants('cat notes.md') }],
    ['a rule, in every mode', { mode: 'ask', rules: [rule(['cat'])] }],
    ['a rule, where nobody is', { mode: 'none', rules: [rule(['cat'])] }],
  ]
  test.for(WAYS)('runs in Look, whatever lets it run: %s', ([, given]) => {
    expect(how(decided('cat notes.md', given))).toEqual(LOOK)
    // Without the text, nothing changes.
    expect(how(decided('cat notes.md', { ...given, strangers: [] }))).not.toBe('ask')
  })

  test('runs where nothing confines only if it is known to start nothing and to reach nobody', () => {
    for (const mode of ['full', 'reads'] as const) {
      expect(how(decided('cat notes.md', { mode, ...BARE }))).toBe('unconfined')
      expect(how(decided('less notes.md', { mode, ...BARE }))).toBe('ask')
      expect(how(decided('python3 -m json.tool a.json', { mode, ...BARE }))).toBe('ask')
      expect(how(decided('hostname -f', { mode, ...BARE }))).toBe('ask')
    }
  })

  test.for([
    "LESSOPEN='|bash ./run %s' less notes.md",
    "x='a[`bash ./run`]'; echo $((x))",
    'npm run build',
    'tar -tf notes.md -I "bash ./run"',
    'getent hosts secret.example.org',
    'ping -c 1 secret.example.org',
    'host secret.example.org',
    'git ls-remote https://secret.example.org/x',
    'cat server.pem',
  ])('asks in every mode, whatever allows it, for it does more: %s', command => {
    for (const mode of ['ask', 'reads', 'full'] as const)
      for (const place of [{}, BARE]) {
        const given = { mode, grants: grants(command), rules: [rule([command.split(' ')[0]!])], ...place }
        const found = decided(command, given)
        expect(found).toMatchObject({ verdict: 'ask', inEveryMode: true, texts: MARK, mayAllowInChat: false })
        if (mode === 'full') expect(how(decided(command, { ...given, strangers: [] }))).not.toBe('ask')
      }
    expect(how(decided(command, { mode: 'none', grants: grants(command) }))).toBe('deny')
  })

  test('names a text in its reason and lists what a server says of its tools as well, so that one answer ends both', () => {
    const described = {
      id: 'text_2',
      source: 'what the server mails says of its tools',
      described: true as const,
    }
    const found = decided('curl example.org', { strangers: [...MARK, described] })
    expect(found).toMatchObject({ verdict: 'ask', texts: [...MARK, described] })
    expect(found).not.toMatchObject({ reason: expect.stringContaining('says of its tools') as string })
    expect(how(decided('curl example.org', { strangers: [described] }))).toBe('ask')
  })

  test('asks in the background, in the whole home folder and for another folder', () => {
    expect(how(decided('cat notes.md', {}, { background: 'start' }))).toBe('ask')
    expect(how(decided('cat notes.md', {}, { workspace: '/home/ada' }))).toBe('ask')
    expect(how(decided('cat notes.md', {}, { inWorkspace: false }))).toBe('ask')
  })

  test('the reason names at most three sources, each once, and says how many more there are', () => {
    const of = (...sources: string[]) =>
      decided('curl example.org', { strangers: sources.map((source, at) => ({ id: `text_${at}`, source })) })
    expect(of('the server a', 'the server a')).toMatchObject({
      reason:
        'It may send or schedule something. This chat has read text from the server a, which may have asked for it.',
    })
    expect(of('a', 'b', 'c', 'd', 'e')).toMatchObject({
      reason:
        'It may send or schedule something. This chat has read text from a and text from b and text from c and 2 more, which may have asked for it.',
      texts: { length: 5 },
    })
  })
})
