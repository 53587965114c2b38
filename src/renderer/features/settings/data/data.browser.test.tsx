import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import { aUserMessage, aReply } from '../../../test/messages.ts'
import { field, press, showSettings } from '../../../test/settings.tsx'
import type { PreparedHost } from '../../../test/test-host.ts'

const data = { section: 'data' }

function aChat({ seed }: PreparedHost): void {
  void seed.chat({
    id: 'tea',
    title: 'About <b>tea</b>',
    messages: [aUserMessage({ id: 1, text: 'Which tea?' }), aReply({ id: 2, text: 'Green.' })],
  })
}

const table = (name: string) => page.getByRole('table', { name })

test('the size of every part is listed with its sum', async () => {
  await showSettings(aChat, data)
  const sizes = table('By part')
  await expect
    .element(sizes.getByRole('row', { name: /^Chats, search and history \d+ [\d.]+ kB/ }))
    .toBeVisible()
  await expect.element(sizes.getByRole('row', { name: /^Everything/ })).toBeVisible()
})

test('all chats are exported into the file that was named', async () => {
  const host = await showSettings(aChat, data)
  await page.getByText('JSON', { exact: true }).click()
  await field('File').fill(`${host.workspace}/chats.json`)
  await press('Export all chats').click()
  await expect.element(page.getByText(/^1 chat with 2 messages/)).toBeVisible()
  expect(await host.readFile('workspace', 'chats.json')).toContain('Which tea?')
  await press('Export again').click()
  await field('File').fill(`${host.workspace}/chats.json`)
  await press('Export all chats').click()
  await expect.element(field('File')).toHaveAccessibleDescription(/chats\.json already exists/)
})

test('a backup is made, looked into and restored into a new folder', async () => {
  const host = await showSettings(aChat, data)
  const backup = `${host.workspace}/backup.zip`
  await field('Backup file').fill(backup)
  await press('Back up').click()
  await expect.element(page.getByText(/^1 chat and everything else, .* was checked/)).toBeVisible()
  await field('Backup to restore').fill(backup)
  await press('Look inside').click()
  await expect.element(page.getByText(/1 chat, .*without keys/)).toBeVisible()
  await field('New folder').fill(`${host.workspace}/restored`)
  await press('Restore into the new folder').click()
  await expect.element(page.getByText(`talaria chat --home '${host.workspace}/restored'`)).toBeVisible()
  expect(await host.readFile('workspace', 'restored/config.yaml')).toBe(
    await host.readFile('home', 'config.yaml'),
  )
})

test('what cannot be written or is no backup is said at its field', async () => {
  const host = await showSettings(aChat, data)
  await field('Backup file').fill(`${host.workspace}/none/backup.zip`)
  await press('Back up').click()
  await expect.element(field('Backup file')).toHaveAccessibleDescription(/its folder does not exist/)
  await field('Backup to restore').fill(`${host.home}/config.yaml`)
  await press('Look inside').click()
  await expect
    .element(field('Backup to restore'))
    .toHaveAccessibleDescription(/is no zip, or only a part of one/)
})

test('the backups that Talaria keeps are listed, and one of a day is put into the field to restore it', async () => {
  const host = await showSettings(aChat, {
    ...data,
    homeFiles: { 'backups/daily-20261101T080000.zip': 'x', 'backups/state-v7-20261101T080000.db': 'x' },
  })
  await expect.element(page.getByText(/^2 files, 2 B, in the backups folder/)).toBeVisible()
  await press(/^Restore the backup of/).click()
  await expect
    .element(field('Backup to restore'))
    .toHaveValue(`${host.home}/backups/daily-20261101T080000.zip`)
})

test('daily backups can be switched off', async () => {
  const host = await showSettings(aChat, data)
  await page.getByRole('switch', { name: 'A backup every day' }).click()
  await expect.poll(() => host.value('backup.daily')).toBe(false)
})

test('a list that the host cannot give is said', async () => {
  await showSettings(host => {
    aChat(host)
    host.failEach('data.sizes', new Fault('internal', 'The disk is gone.'))
  }, data)
  await expect.element(page.getByText('The sizes could not be read: The disk is gone.')).toBeVisible()
})
