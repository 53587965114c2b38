import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { Fault } from '../../../../shared/rpc.ts'
import type { SkillImport } from '../../../../shared/contract/skill-imports.ts'
import { button } from '../../../test/show-app.tsx'
import { Toasts } from '../../../ui/Toasts.tsx'
import { showPart } from '../edit/test-editor.tsx'
import { asked, found, newer } from './test-import.tsx'
import { UpdateDialog } from './UpdateDialog.tsx'

async function showUpdate(update: SkillImport | null) {
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
        <Toasts label="Messages" closeLabel="Close" />
      </>
    )
  }
  const host = await showPart(
    () => <Page />,
    ({ skills }) => {
      skills.add({ name: 'brew', origin: 'imported' })
      skills.next.update = update
    },
  )
  return { host, closed: () => closed }
}

test('an update shows what would change before it is installed, and can be undone', async () => {
  const { host, closed } = await showUpdate(found([newer]))
  await expect.element(page.getByRole('dialog', { name: 'Update of “brew”' })).toBeVisible()
  const marks = () => [...document.querySelectorAll('.word-diff ins')].map(each => each.textContent)
  await expect.poll(marks).toEqual(['twice'])
  expect(asked(host, 'skills.install')).toEqual([])
  await expect.element(page.getByRole('radio')).not.toBeInTheDocument()
  await button('Install the update').click()
  await expect.poll(closed).toBe(1)
  expect(asked(host, 'skills.install')).toEqual([
    { importId: 'import-1', choices: [{ path: 'skills/brew' }] },
  ])
  await button('Undo').click()
  await expect.poll(() => asked(host, 'skills.undo')).toEqual([{ revisionIds: [2] }])
})

test('no news is said, and can be asked for again', async () => {
  const { host } = await showUpdate(null)
  await expect.element(page.getByText('There is nothing new where it came from.')).toBeVisible()
  host.skills.next.update = found([newer])
  await button('Look again').click()
  await expect.element(button('Install the update')).toBeVisible()
})

test('a source that cannot be reached is said in words', async () => {
  const { host } = await showUpdate(null)
  await expect.element(button('Look again')).toBeVisible()
  host.failNext('skills.update', new Fault('bad_input', 'The repository cannot be reached.'))
  await button('Look again').click()
  await expect.element(page.getByText('The repository cannot be reached.')).toBeVisible()
})

test('an update that is not wanted does not stay in quarantine', async () => {
  const { host } = await showUpdate(found([newer]))
  await expect.element(button('Install the update')).toBeVisible()
  await cleanup()
  await expect.poll(() => asked(host, 'skills.discard')).toEqual([{ importId: 'import-1' }])
})
