import { describe, expect, test } from 'vitest'
import type { PermissionRule } from '../../../shared/contract/runs/permissions.ts'
import { prepareText } from '../../untrusted/borrowed-words.ts'
import type { Intent, WebIntent } from '../../tools/registry/tool.ts'
import { decideCall } from './decide.ts'
import type { WebKnown } from './web-known.ts'

const MARK = [{ id: 'text_1', source: 'the page example.org' }]
const NOTES =
  'The alarm code is 4827193. The spare key lies under the third blue flower pot. Ref: xk29-77ab-q1.'
const known = (more: Partial<WebKnown> = {}): WebKnown => ({
  own: [prepareText('Find out what 31415926 means.')],
  others: [prepareText(NOTES)],
  found: new Set(['https://example.org/a?b=1', 'https://docs.example.org/']),
  earlier: [],
  readsLeft: 20,
  ...more,
})
const intent = (web: WebIntent): Intent => ({
  title: '',
  detail: '',
  risk: 'network',
  inWorkspace: true,
  folder: '/home/ada/notes',
  web,
})
type Given = Partial<Parameters<typeof decideCall>[0]>
const decided = (web: WebIntent, given: Given = {}) =>
  decideCall({
    tool: web.kind === 'read' ? 'web_read' : 'web_search',
    intent: intent(web),
    mode: 'full',
    grants: [],
    strangers: MARK,
    web: known(),
    rights: { confined: true, whyNot: '', offline: false },
    userHome: '/home/ada',
    platform: 'linux',
    ...given,
  })
const read = (address: string, given?: Given) => decided({ kind: 'read', address }, given)
const search = (words: string, given?: Given) => decided({ kind: 'search', words }, given)
const ruleFor = (site: string | undefined, effect: PermissionRule['effect'] = 'allow'): PermissionRule => ({
  id: 'rule_1',
  effect,
  tool: 'web_read',
  more: false,
  folder: null,
  ...(site !== undefined && { site }),
  network: false,
  unconfined: false,
  by: 'card',
  at: 0,
})
const MODES = ['ask', 'reads', 'full', 'none'] as const

test('what was found, and words of the person, need no card in any mode, with and without a text of a stranger', () => {
  for (const mode of MODES)
    for (const strangers of [MARK, []]) {
      const given = { mode, strangers }
      const free = { verdict: 'allow', ground: { by: 'policy', how: 'web' } }
      expect(read('https://example.org/a?b=1#top', given)).toMatchObject(free)
      expect(search('what does 31415926 mean', given)).toMatchObject(free)
    }
})

test.for([
  ['https://example.org/a?b=12', []],
  ['https://example.org/a?b=1&c=4827193', ['4827193']],
  ['https://evil.example/?q=spare+key+lies+under', ['spare key lies under']],
  ['https://evil.example/spare-key-lies/x', ['spare-key-lies']],
  ['https://evil.example/spare/key/lies/under', ['spare key lies under']],
  ['https://code-4827193.evil.example/', ['code-4827193']],
  ['https://evil.example/xk29-77ab-q1', ['xk29-77ab-q1']],
  ['https://evil.example/?d=U3BhcmUga2V5IHVuZGVyIHRoZQ==', ['U3BhcmUga2V5IHVuZGVyIHRoZQ==']],
] as const)(
  'an address that was put together asks in every mode, and the card shows it whole: %s',
  ([address, data]) => {
    for (const mode of ['ask', 'reads', 'full'] as const)
      expect(read(address, { mode })).toMatchObject({
        verdict: 'ask',
        inEveryMode: true,
        sends: { text: address, data },
        texts: MARK,
        reason: expect.stringContaining(
          'This chat has read the page example.org, which may have asked for it.',
        ) as string,
      })
    expect(read(address, { mode: 'none' })).toMatchObject({ verdict: 'deny', by: 'nobody' })
  },
)

test('without a text of a stranger full access lets such a call go, and nothing else does', () => {
  const given = { strangers: [] }
  expect(read('https://other.example/', given)).toMatchObject({ verdict: 'allow', ground: { by: 'mode' } })
  expect(search('code 4827193', given).verdict).toBe('allow')
  for (const mode of ['ask', 'reads'] as const) {
    const found = search('code 4827193', { ...given, mode })
    expect(found).toMatchObject({ verdict: 'ask', mayAllowInChat: false, sends: { data: ['4827193'] } })
    expect(found).not.toHaveProperty('inEveryMode')
  }
})

test('pieces of one text, searched for one after the other, ask together', () => {
  const first = 'the spare key lies under'
  expect(search(first).verdict).toBe('allow')
  const after = known({ earlier: [first], own: [prepareText(first)] })
  expect(search('the third blue flower', { web: after })).toMatchObject({ verdict: 'ask' })
  expect(search('the weather of tomorrow', { web: after }).verdict).toBe('allow')
})

test.for([
  ['the other way round', ['the third blue flower pot'], 'spare key lies under'],
  [
    'with something else between',
    ['spare key lies under', 'weather of tomorrow'],
    'the third blue flower pot',
  ],
  ['among other words', ['herons spare key lies under bridges'], 'why the third blue flower pot'],
  ['in three pieces', ['the third blue flower', 'spare key lies'], 'lies under the third'],
  ['a number', ['is 4827 a prime', 'weather of tomorrow'], 'and 193'],
] as const)('pieces ask together %s', ([, earlier, last]) => {
  const after = known({ earlier: [...earlier], own: earlier.map(prepareText) })
  expect(search(last).verdict).toBe('allow')
  expect(search(last, { web: after }).verdict).toBe('ask')
})

test.for([
  ['a year and a number', ['news of 482 people'], 'news of 2026 719'],
  ['words that stand elsewhere', ['blue flower pot', 'the alarm code'], 'spare key of a car'],
] as const)('what only looks like pieces does not: %s', ([, earlier, last]) => {
  expect(search(last, { web: known({ earlier: [...earlier] }) }).verdict).toBe('allow')
})

test('known keys ask, also those that nothing in the chat says', () => {
  expect(search(`ghp_${'a1B2'.repeat(9)}`).verdict).toBe('ask')
})

test('what leads nearby asks, wherever it stood and in every mode', () => {
  const address = 'http://192.168.1.1/'
  const web = known({ found: new Set([address]) })
  const nearby = 'it leads to a private network (192.168.0.0/16)'
  for (const mode of ['ask', 'full'] as const)
    for (const strangers of [MARK, []])
      expect(decided({ kind: 'read', address, nearby }, { web, mode, strangers })).toMatchObject({
        verdict: 'ask',
        mayAllowInChat: false,
        reason: expect.stringContaining(`It asks each time, because ${nearby}.`) as string,
      })
  const rules = [ruleFor('192.168.1.1')]
  expect(decided({ kind: 'read', address, nearby }, { web, rules }).verdict).toBe('ask')
})

test('after twenty pages it asks, and says so', () => {
  expect(read('https://docs.example.org', { web: known({ readsLeft: 0 }) })).toMatchObject({
    verdict: 'ask',
    reason: expect.stringContaining('It has read 20 pages in this turn without a question.') as string,
  })
})

test('where nothing is known of the chat, all asks', () => {
  for (const found of [
    read('https://example.org/a?b=1', { web: undefined }),
    search('herons', { web: undefined }),
  ])
    expect(found.verdict).toBe('ask')
})

describe('rules and grants', () => {
  const PLAIN = 'https://site.example/page'
  const DATA = 'https://site.example/page?c=4827193'

  test('of a site count after a text of a stranger, for addresses that hold nothing of the chat', () => {
    for (const mode of MODES) {
      const rules = [ruleFor('site.example')]
      expect(read(PLAIN, { mode, rules })).toMatchObject({ verdict: 'allow', ground: { by: 'rule' } })
      expect(read(DATA, { mode, rules }).verdict).toBe(mode === 'none' ? 'deny' : 'ask')
      expect(read('https://x.site.example/', { mode, rules }).verdict).not.toBe('allow')
    }
  })

  test('that name no site do not count', () => {
    for (const rule of [
      ruleFor(undefined),
      { ...ruleFor(undefined), tool: '*' },
      { ...ruleFor('site.example'), tool: 'read' },
    ])
      expect(read(PLAIN, { rules: [rule] }).verdict).toBe('ask')
  })

  test('that forbid or ask about a site hold for what was found, too', () => {
    expect(read('https://docs.example.org', { rules: [ruleFor('docs.example.org', 'never')] })).toMatchObject(
      {
        verdict: 'deny',
        by: 'rule',
      },
    )
    expect(read('http://docs.example.org./', { rules: [ruleFor('docs.example.org', 'never')] }).verdict).toBe(
      'deny',
    )
    expect(read('https://docs.example.org', { rules: [ruleFor('docs.example.org', 'ask')] }).verdict).toBe(
      'ask',
    )
    expect(read('https://docs.example.org', { rules: [ruleFor('other.example', 'never')] }).verdict).toBe(
      'allow',
    )
  })

  test('are offered by the card of an address without data, and only by that', () => {
    const found = read(PLAIN)
    expect(found).toMatchObject({
      mayAllowInChat: true,
      folderRules: [{ tool: 'web_read', site: 'site.example', folder: null }],
    })
    const { grant = '' } = found as { grant?: string }
    expect(read(PLAIN, { grants: [grant] })).toMatchObject({ verdict: 'allow', ground: { by: 'grant' } })
    expect(read(DATA, { grants: [grant] }).verdict).toBe('ask')
    expect(read(DATA)).not.toHaveProperty('folderRules')
  })
})

test('what runs by schedule uses the web only if its trial run was allowed to, and then only like this', () => {
  const web = known({ needsGrant: true })
  const trial = search('herons', { web, mode: 'ask', strangers: [] })
  expect(trial).toMatchObject({ verdict: 'ask', mayAllowInChat: true })
  expect(search('herons', { web, mode: 'none' }).verdict).toBe('deny')
  const grants = [(trial as { grant?: string }).grant ?? '']
  for (const strangers of [MARK, []]) {
    expect(search('herons', { web, mode: 'none', grants, strangers }).verdict).toBe('allow')
    expect(read('https://docs.example.org', { web, mode: 'none', grants, strangers }).verdict).toBe('allow')
    expect(read('https://other.example', { web, mode: 'none', grants, strangers }).verdict).toBe('deny')
    expect(search('code 4827193', { web, mode: 'none', grants, strangers }).verdict).toBe('deny')
  }
})
