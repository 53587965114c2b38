import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { button, composer, say, showWindow } from '../../test/show-window.tsx'
import { expectAccessible } from '../../test/accessible.ts'

const segment = () => button(/^1 background process\b.*Show them$/)
const line = () => page.getByRole('contentinfo', { name: 'What is going on' })
const inChat = () => page.getByRole('region', { name: 'Background processes of this chat' })
const list = () => page.getByRole('list', { name: 'Background processes' })
const output = () => page.getByRole('group', { name: 'Output' })

const command = 'echo watching; until [ -e go ]; do sleep 0.02; done; echo built; cat'

/** A chat whose agent has started a watcher that the user allowed. */
async function aWatcher() {
  const host = await showWindow()
  await say('Watch the files')
  const asked = await host.nextAsked()
  await asked.call('terminal', { action: 'start', command })
  await asked.end()
  const card = page.getByRole('region', { name: 'A question for you' })
  await expect.element(card).toMatchTextContent(/^Start a background process/)
  await expect.element(card).toMatchTextContent(command)
  await button(/^Allow once/).click()
  await expect.element(inChat()).toBeVisible()
  return { host, told: await host.nextAsked() }
}

test('a background process is shown in its chat and in the line of what goes on, with its output, and can be stopped', async () => {
  const { host, told } = await aWatcher()
  expect(told.body.messages.at(-1)?.content).toMatch(/^p1 is running: .*\n[\s\S]*watching$/)
  await told.say('It watches.')
  await expect.element(inChat()).toMatchTextContent(command)
  await expect.element(inChat()).toMatchTextContent(/Running · (confined, no network|not confined)/)

  await segment().click()
  await expect.element(list().getByRole('button', { name: 'Open the chat of p1' })).toBeVisible()
  await list().getByRole('button', { name: 'Output of p1' }).click()
  await expect.element(output()).toHaveTextContent('watching')
  await expectAccessible()
  await button('Stop p1').last().click()
  await expect.element(page.getByRole('dialog')).toMatchTextContent(/Stopped · /)
  await button('Close the output').click()
  await expect.element(inChat()).not.toBeInTheDocument()
  await expect.element(line()).not.toBeInTheDocument()
  expect((await host.elsewhere['process.list']({})).processes).toMatchObject([{ id: 'p1', state: 'stopped' }])
})

test('what another window or terminal stops is shown as stopped', async () => {
  const { host, told } = await aWatcher()
  await told.say('It watches.')
  await host.elsewhere['process.stop']({ id: 'p1' })
  await expect.element(inChat()).not.toBeInTheDocument()
  await expect.element(line()).not.toBeInTheDocument()
  // An ended process can still be found in the palette.
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.keyboard('background{Enter}')
  await expect.element(list()).toMatchTextContent(/Stopped · /)
  await expect.element(list().getByRole('button', { name: 'Stop p1' })).not.toBeInTheDocument()
})

test('without any background process the window does not mention them', async () => {
  await showWindow()
  await expect.element(composer()).toBeVisible()
  expect(document.body.textContent).not.toMatch(/background process/i)
})
