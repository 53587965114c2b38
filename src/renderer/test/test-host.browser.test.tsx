import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aHistory } from './messages.ts'
import { button, say, showWindow, transcript } from './show-window.tsx'

test('a first message makes a chat, and its answer streams in as Markdown', async () => {
  const host = await showWindow()
  await say('Hello')
  const asked = await host.nextAsked()
  expect(asked.text).toBe('Hello')
  await asked.write('It is **no')
  await expect.element(transcript().getByText('no', { exact: true })).toHaveStyle({ fontWeight: '600' })
  await asked.write('on** now.')
  await asked.end({ usage: { prompt_tokens: 12_000, completion_tokens: 89, total_tokens: 12_089 } })
  await expect.element(transcript().getByText('It is noon now.')).toBeVisible()
  await expect.element(page.getByText('Context 37%')).toBeVisible()
  const { sessions } = await host.elsewhere['session.list']({})
  expect(sessions.map(session => session.title)).toEqual(['Hello'])
  expect(location.hash).toBe(`#chat=${sessions[0]!.id}`)
})
test('Esc stops an answer and what was written stays', async () => {
  const host = await showWindow()
  await say('Count')
  const asked = await host.nextAsked()
  await asked.write('One, two, ')
  await expect.element(transcript().getByText('One, two,')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => asked.isCut()).toBe(true)
  await expect.element(transcript().getByText('This answer was cut short here.')).toBeVisible()
  await expect.element(button('Stop')).not.toBeInTheDocument()
})
test('a tool really runs once it was allowed', async () => {
  const host = await showWindow()
  await say('Run date')
  const asked = await host.nextAsked()
  await asked.call('terminal', { command: 'date' })
  await asked.end()
  await button(/^Allow/)
    .first()
    .click()
  const again = await host.nextAsked()
  await again.say('done')
  await expect.element(transcript().getByText('done')).toBeVisible()
  expect(again.body.messages.at(-1)?.content).toMatch(/\d{4}/)
})
test('what is seeded is there from the start', async () => {
  await showWindow(host => {
    void host.seed.chat({ id: 'c1', title: 'Old', messages: aHistory(3) })
    return 'c1'
  })
  await expect.element(transcript().getByText('Answer 3')).toBeVisible()
})
