import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { button } from '../../../test/show-window.tsx'
import { Toasts } from '../../../ui/Toasts.tsx'
import { showPart } from '../../../test/skill-editor.tsx'
import { asked, importBrew, newer } from '../../../test/skill-import.tsx'
import { UpdateDialog } from './UpdateDialog.tsx'

/** Look for news of `brew`, whose folder has these files by now. */
async function showUpdate(files: Record<string, string | null> = {}) {
  let closed = 0
  function Page() {
    const [open, setOpen] = useState(true)
    const close = () => {
      closed++
      setOpen(false)
    }
    return (
      <>
        {open && <UpdateDialog id="imported/brew" onClose={close} />}
        <Toasts label="What just happened" closeLabel="Close" />
      </>
    )
  }
  const host = await showPart(
    () => <Page />,
    host => {
      importBrew(host)
      void host.seed.workspaceFiles(files)
    },
  )
  return { host, closed: () => closed }
}

test('an update shows its diff before it is installed, and can be undone', async () => {
  const { host, closed } = await showUpdate(newer)
  await expect.element(page.getByRole('dialog', { name: 'Update of “brew”' })).toBeVisible()
  const marks = () => [...document.querySelectorAll('.word-diff ins')].map(each => each.textContent)
  await expect.poll(marks).toEqual(['twice'])
  expect(asked(host, 'skills.install')).toEqual([])
  await expect.element(page.getByRole('radio')).not.toBeInTheDocument()
  await button('Install the update').click()
  await expect.poll(closed).toBe(1)
  const installed = () => host.readFile('home', 'imported-skills/brew/SKILL.md')
  expect(await installed()).toContain('twice')
  await button('Undo').click()
  await expect.poll(installed).toContain('once')
})

test('without a newer version the dialog says so, and can check again', async () => {
  const { host } = await showUpdate()
  await expect.element(page.getByText('There is no newer version at its source.')).toBeVisible()
  await host.seed.workspaceFiles(newer)
  await button('Check again').click()
  await expect.element(button('Install the update')).toBeVisible()
})

test('an update without a source says so, and can check again', async () => {
  await showUpdate({ 'shared/brew/SKILL.md': null })
  await expect.element(page.getByText('Its source no longer contains the skill.')).toBeVisible()
  await expect.element(button('Check again')).toBeVisible()
})

test('an update that is not installed is discarded', async () => {
  const { host } = await showUpdate(newer)
  await expect.element(button('Install the update')).toBeVisible()
  await cleanup()
  await expect.poll(() => asked(host, 'skills.discard')).toHaveLength(1)
})
