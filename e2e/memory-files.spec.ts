import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './app.ts'

const garden = '# The garden\n\n- **Bed 3** has the potatoes.'

test.use({ homeFiles: { 'memories/USER.md': `Lives in Bern.\n§\n${garden}\n` } })

test('a long entry is edited as a file, and a change by another program appears at once', async ({
  app,
  folders,
}) => {
  const file = join(folders.home, 'memories', 'USER.md')
  await app.getByRole('button', { name: 'Memory', exact: true }).first().click()
  const list = app.getByRole('list', { name: 'What is known about you' })
  await list.getByRole('button', { name: /^# The garden/ }).click()
  const editor = app.getByRole('textbox', { name: 'Text of the entry' })
  await expect(editor).toHaveAttribute('aria-multiline', 'true')
  // The editor's styles apply although the content security policy blocks style elements.
  await expect(editor).toHaveCSS('white-space', 'break-spaces')
  await editor.press('Enter')
  await app.keyboard.type('Bed 4 is empty.')
  await app.keyboard.press('ControlOrMeta+Enter')
  await expect(editor).toBeHidden()
  await expect.poll(() => readFile(file, 'utf8')).toBe(`Lives in Bern.\n§\n${garden}\n- Bed 4 is empty.\n`)

  await writeFile(file, 'Lives in Basel.\n')
  await expect(list.getByRole('button', { name: 'Lives in Basel.', exact: true })).toBeVisible()
  await expect(list.getByRole('button', { name: /The garden/ })).toBeHidden()
  await app.getByRole('button', { name: 'Restore the earlier version' }).click()
  await expect.poll(() => readFile(file, 'utf8')).toBe(`Lives in Bern.\n§\n${garden}\n- Bed 4 is empty.\n`)
})
