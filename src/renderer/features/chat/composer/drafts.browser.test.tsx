import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { HostClient } from '../../../../shared/contract/index.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { button, composer, openWindow, say, showWindow, transcript } from '../../../test/show-window.tsx'

const gone = new Fault('disconnected', 'The host went away.')

test('a draft save that arrives after its message does not restore the draft', async () => {
  const host = await showWindow()
  const late: Parameters<HostClient['session.update']>[0][] = []
  host.answer({
    'session.update'(input) {
      late.push(input)
      throw gone
    },
  })
  await composer().fill('Hello')
  await expect.poll(() => late.length).toBe(1)
  await userEvent.keyboard('{Enter}')
  await (await host.nextAsked()).say('Good morning.')
  await expect.element(transcript().getByText('Good morning.')).toBeVisible()

  expect(late[0]).toMatchObject({ draft: 'Hello' })
  expect(await host.elsewhere['session.update'](late[0]!)).toMatchObject({ draft: '', turnCount: 1 })
  await openWindow(host)
  await expect.element(transcript().getByText('Good morning.')).toBeVisible()
  await expect.element(composer()).toHaveValue('')
})

test('a message that was stored although the connection broke is not sent twice', async () => {
  const host = await showWindow()
  host.answer({
    async 'chat.send'(input) {
      await host.elsewhere['chat.send'](input)
      await host.disconnect()
      throw gone
    },
  })
  await say('Hello')
  const asked = await host.nextAsked()
  await expect.element(page.getByText(/connection to Talaria was lost/)).toBeVisible()
  host.reconnect()
  await asked.say('Good morning.')
  await expect.element(transcript().getByText('Good morning.')).toBeVisible()
  await expect.element(composer()).toHaveValue('')
  await expect.element(transcript().getByText('Hello', { exact: true })).toBeVisible()
  const { sessions } = await host.elsewhere['session.list']({})
  expect(sessions).toMatchObject([{ draft: '', turnCount: 1 }])
})

test('a message that never reached the host returns to the field after the reconnect', async () => {
  const host = await showWindow()
  host.answer({
    async 'chat.send'() {
      await host.disconnect()
      throw gone
    },
  })
  await say('Hello')
  await expect.element(page.getByText(/connection to Talaria was lost/)).toBeVisible()
  await expect.element(composer()).toHaveValue('')
  host.reconnect()
  await expect.element(composer()).toHaveValue('Hello')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Not sent')
})

test('a draft that another window sends is cleared here', async () => {
  const host = await showWindow()
  await composer().fill('Dear landlord')
  const kept = async () => (await host.elsewhere['session.list']({})).sessions[0]
  await expect.poll(async () => (await kept())?.draft).toBe('Dear landlord')
  const { id } = (await kept())!
  await host.elsewhere['chat.send']({ sessionId: id, text: 'Dear landlord', draft: '' })
  await (await host.nextAsked()).say('Dear tenant')
  await expect.element(transcript().getByText('Dear tenant')).toBeVisible()
  await expect.element(composer()).toHaveValue('')

  await composer().fill('And')
  await host.elsewhere['chat.send']({ sessionId: id, text: 'Another thing', draft: '' })
  await (await host.nextAsked()).say('Noted')
  await expect.element(transcript().getByText('Noted')).toBeVisible()
  await expect.element(composer()).toHaveValue('And')
  await expect.element(button('Send')).toBeEnabled()
  await expect.poll(async () => (await kept())?.draft).toBe('And')
})

test('an answer to another window is shown even if it ends before this window knows its chat', async () => {
  const host = await showWindow()
  host.answer({
    async 'session.create'(input) {
      const made = await host.elsewhere['session.create'](input)
      const { runId } = await host.elsewhere['chat.send']({ sessionId: made.id, text: 'Hello' })
      await (await host.nextAsked()).say('Good morning.')
      for await (const event of host.elsewhere['run.watch']({ runId })) if (event.type === 'turn_end') break
      return made
    },
  })
  await composer().fill('Dear landlord')
  await expect.element(transcript().getByText('Good morning.')).toBeVisible()
  await expect.element(composer()).toHaveValue('Dear landlord')
})

test('a message that is too long says its length and the limit, and a reload keeps all of it', async () => {
  const host = await showWindow()
  const long = 'word '.repeat(40_001).trim()
  await say('Hello')
  await (await host.nextAsked()).say('Good morning.')
  await expect.element(transcript().getByText('Good morning.')).toBeVisible()
  await composer().fill(long)
  // Not a locator: a waiting locator prints the page, which takes minutes with such a text.
  const note = () => document.querySelector('.composer [role="alert"]')?.textContent
  const told = 'it has 200,004 characters, and a message has at most 200,000. Shorten it by 4'
  await expect.poll(note).toContain(told)
  await userEvent.keyboard('{Enter}')
  const kept = async () => (await host.elsewhere['session.list']({})).sessions[0]!.draft.length
  await expect.poll(kept).toBe(long.length)
  await openWindow(host)
  await expect.poll(note).toContain(told)
  expect(document.querySelector<HTMLTextAreaElement>('.composer textarea')!.value === long).toBe(true)
})
