import { expect, test } from 'vitest'
import type { Compaction } from '../../../../shared/contract/chats/session.ts'
import { aHistory } from '../../../test/messages.ts'
import { initialChat } from '../store/chat-state.ts'
import { transcriptRows } from '../transcript/transcript-rows.ts'
import { focusIn, partsOf, withDivider } from './chat-compaction.ts'

const aCompaction = (id: number, upToId: number, by: Compaction['by'] = 'model') =>
  ({ id, upToId, prunedToId: upToId + 2, by, summary: 'x' }) as Compaction
/** The keys of the rows of a chat of six turns, of which the first messages are not loaded yet. */
const rows = (compactions: Compaction[], from = 1) =>
  withDivider(
    transcriptRows({ ...initialChat, messages: aHistory(6).filter(({ id }) => id >= from) }, null),
    compactions,
  ).map(({ key }) => key)

test('the divider follows the last message that the newest summary covers', () => {
  expect(rows([aCompaction(1, 4), aCompaction(2, 8)]).slice(7, 10)).toEqual(['m8', 'compaction:8', 'm9'])
  // A pass that only shortened results later leaves the summary where it is.
  expect(rows([aCompaction(1, 4), aCompaction(2, 4, 'pruning')])).toContain('compaction:4')
})

test('there is no divider while its place is not loaded', () => {
  expect(rows([aCompaction(1, 4)], 6)).toEqual(['m6', 'm7', 'm8', 'm9', 'm10', 'm11', 'm12'])
  expect(rows([])).not.toContain(undefined)
})

test('“/compact” is recognised only as a whole word at the start', () => {
  expect(['/compact', ' /compact  the port ', '/compactly', 'a /compact'].map(focusIn)).toEqual([
    '',
    'the port',
    undefined,
    undefined,
  ])
})

test('a summary is split into its parts, also when it has another form', () => {
  expect(partsOf('## Goal\n- a\n- b\n\n## Done\n- c')).toEqual([
    { heading: 'Goal', lines: ['a', 'b'] },
    { heading: 'Done', lines: ['c'] },
  ])
  expect(partsOf('just words')).toEqual([{ heading: '', lines: ['just words'] }])
})
