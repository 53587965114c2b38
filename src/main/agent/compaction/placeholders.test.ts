import { describe, expect, test } from 'vitest'
import { aTurn, inShort } from '../../../../testing/agent/a-turn.ts'
import type { Step } from '../../../../testing/models/scripted.ts'
import { placeholderRefusal } from './placeholders.ts'

const call = (name: string, given: Record<string, unknown> = {}): Step => ({
  call: { name, arguments: given },
})

describe('a call with a remark in place of a text is refused, and nothing is overwritten:', () => {
  test.for([
    'Once upon a time … [Only the beginning is shown here; the call ran with all 3,100 characters.]',
    '[only the beginning is shown here]',
    'first lines\n[The rest was left out to make room. Call the tool again if you need it.]',
    '[read_file: 7,499 characters were here, beginning: # Title]',
    'head\n[… 12,000 characters cut; read fewer lines at once, with offset and limit …]\ntail',
  ])('%s', async content => {
    const told = await aTurn({
      replies: [[call('write_file', { path: 'page1.md', content })], 'I will write it again.'],
      approval: 'full',
    })
    expect(told.trace).toEqual([])
    expect(inShort(told.messages)[2]).toMatch(/^error: Error: Nothing was done: content holds “.*whole text/s)
    expect(told.reason).toBe('done')
  })
  test('also deep inside, but not where text is only quoted or read', async () => {
    const remark = '[Only the beginning is shown here; the call ran with all 9 items.]'
    const args = { old_string: remark, list: [{ text: 'fine' }] }
    expect(placeholderRefusal(args)).toBeUndefined()
    expect(placeholderRefusal({ ...args, list: [{ text: remark }] })).toMatch(/list holds/)
    const told = await aTurn({ replies: [[call('read_file', { path: remark })], 'So.'] })
    expect(told.trace[0]).toBe(`begin ${remark}`)
  })
})
