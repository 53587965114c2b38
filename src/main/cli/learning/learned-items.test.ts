import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { LearnedChange, Proposal } from '../../../shared/contract/learned/learning.ts'
import { showItems, showProposal, showRules } from './learned-items.ts'
import { shortId } from '../find-item.ts'

const proposal = (given: Partial<Proposal>): Proposal => ({
  id: 'prop_1m7zcjssy78p62th1',
  reviewId: 'review_1m7zcjssy78p62th2',
  sessionId: 'chat_1m7zcjnxx2e452nh8',
  kind: 'memory',
  op: 'add',
  headline: 'Prefers pnpm.',
  place: 'About you',
  before: null,
  after: 'Prefers pnpm.',
  changed: null,
  evidence: [],
  trigger: 'session_end',
  because: '',
  state: 'open',
  isStale: false,
  at: 0,
  decidedAt: null,
  memoryRevisions: [],
  skillRevisions: [],
  seen: '',
  cost: null,
  ...given,
})

const shown = (given: Partial<Proposal>, most?: number) =>
  stripVTControlCharacters(showProposal(proposal(given), most)).split('\n')

test('an addition shows its headline, a change both texts, and a long one its line count or its whole text', () => {
  expect(shown({})).toEqual(['  p62th1  Prefers pnpm.', '    add to About you, at the end of a chat'])
  expect(
    shown({ op: 'edit', before: 'Prefers npm.', because: 'It would rewrite what you wrote yourself.' }),
  ).toEqual([
    '  p62th1  Prefers pnpm.',
    '    change in About you, at the end of a chat',
    '    - Prefers npm.',
    '    + Prefers pnpm.',
    '    It would rewrite what you wrote yourself.',
  ])
  const skill = {
    kind: 'skill',
    op: 'create',
    headline: 'New skill “haiku”',
    place: 'haiku/SKILL.md',
  } as const
  const after = 'One\nTwo\nThree\n'
  expect(shown({ ...skill, after }, 2).slice(2)).toEqual(['    3 lines: talaria learning show p62th1'])
  expect(shown({ ...skill, after }).slice(2)).toEqual(['    + One', '    + Two', '    + Three'])
})

test('no text can control the terminal or break its line', () => {
  const evil = 'Fine\u001b[2K\r\u202e\nKept: x'
  const texts = [
    showProposal(
      proposal({ headline: evil, place: evil, evidence: [{ messageId: 1, quote: evil }], because: evil }),
    ),
    showItems([{ type: 'proposal', at: 0, proposal: proposal({ headline: evil, state: 'kept' }) }]),
    showRules([{ id: 'rule_1', text: evil, example: '', at: 0, hits: 2 }]),
  ]
  for (const text of texts) {
    const plain = stripVTControlCharacters(text)
    expect(plain).toContain('Fine⟨U+001B⟩[2K')
    expect(plain).not.toMatch(/[\r\u202e]|^Kept: x/m)
  }
})

test('an agent’s change is named by its chat and message, and marked undone when all of it is', () => {
  expect(shortId('chat_1m7zcjnxx2e452nh8:1204')).toBe('452nh8:1204')
  const change: LearnedChange = {
    id: 'chat_1m7zcjnxx2e452nh8:1204',
    at: 0,
    by: 'agent',
    reviewId: null,
    trigger: null,
    sessionId: 'chat_1m7zcjnxx2e452nh8',
    messageId: 1_204,
    headline: 'Prefers pnpm.',
    memory: [{ undoneBy: 7 } as LearnedChange['memory'][number]],
    skills: [],
    cost: null,
  }
  expect(showItems([{ type: 'change', at: 0, change }])).toMatch(
    / {2}452nh8:1204 {2}undone {4}Prefers pnpm\.$/,
  )
})
