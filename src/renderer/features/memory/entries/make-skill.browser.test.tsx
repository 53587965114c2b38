import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import { composer } from '../../../test/show-window.tsx'
import type { TestHost } from '../../../test/test-host.ts'
import { choose, fill, showMemory, tab } from '../../../test/memory.ts'

const newest = async (host: TestHost) => (await host.elsewhere['session.list']({})).sessions[0]!

test('“Make a skill” puts the request into the message field of a new chat', async () => {
  const host = await showMemory()
  await choose('Uses pnpm for packages.', 'Make it a skill')
  await expect
    .element(composer())
    .toHaveValue(
      'Make a skill of this note: “Uses pnpm for packages.”. Write down when to use it and the steps, and ask me what is missing.',
    )
  await expect.element(composer()).toHaveFocus()
  const { id } = await newest(host)
  expect(location.hash).toBe(`#chat=${id}`)
  expect(id).not.toBe('c1')
  expect(host.asked.some(each => each.name === 'chat.send')).toBe(false)
})

test('a skill from a project’s note is made in that project’s folder', async () => {
  const host = await showMemory()
  await tab(/^Notes/).click()
  await choose('Bed 3 has the potatoes.', 'Make it a skill')
  await expect.element(composer()).toHaveFocus()
  expect((await newest(host)).workspace).toBe(`${host.workspace}/garden`)
})

test('if no new chat can be created, the page stays and says why', async () => {
  await showMemory(host => {
    fill(host)
    host.failNext('session.create', new Fault('internal', 'The disk is full.'))
  })
  await choose('Uses pnpm for packages.', 'Make it a skill')
  await expect.element(page.getByText('The disk is full.')).toBeVisible()
  expect(location.hash).toContain('page=memory')
})
