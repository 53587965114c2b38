import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Branch } from '../../../../shared/contract/chats/branches.ts'
import { aHistory } from '../../../test/messages.ts'
import { button, showWindow } from '../../../test/show-window.tsx'

const aBranch = (id: number, given: Partial<Branch>): Branch => ({
  id,
  parentId: 1,
  below: null,
  role: 'assistant',
  text: '',
  model: 'Served model',
  at: 1_000 * id,
  isOnPath: id === 2,
  ...given,
})

test('branches without a text are named by what was called', async () => {
  const host = await showWindow(({ seed }) => {
    void seed.chat({ id: 'c1', title: 'Garden', messages: aHistory(1) })
  })
  const branches = [
    aBranch(2, { called: { name: 'read_file', arguments: { path: 'seeds.csv' }, count: 3 } }),
    aBranch(3, { called: { name: 'terminal', arguments: { command: 'ls' }, count: 1 } }),
    aBranch(4, { text: 'There are three.' }),
  ]
  // Only a chat that has been gone back in asks for its branches.
  await host.elsewhere['branch.edit']({ sessionId: 'c1', messageId: 2, text: 'There are three.' })
  host.answer({ 'branch.list': () => ({ branches }) })
  await button('Garden').click()
  await button('Branches of this chat').click()
  const rows = page.getByRole('dialog', { name: 'Branches of this chat' }).getByRole('listitem')
  await expect.element(rows.nth(0)).toMatchTextContent(/Read seeds\.csv, and 2 more calls/)
  await expect.element(rows.nth(1)).toMatchTextContent(/Run ls/)
  await expect.element(rows.nth(2)).toMatchTextContent(/There are three\./)
})
