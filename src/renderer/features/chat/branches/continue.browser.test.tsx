import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button, say, showWindow, transcript } from '../../../test/show-window.tsx'

const answers = () => transcript().getByRole('article', { name: 'Talaria' })
const questions = () => transcript().getByRole('article', { name: 'You' })

/** Stop an answer and continue it; resolves to the next model request. */
async function goOnAfterStop() {
  const host = await showWindow(({ seed }) => {
    void seed.chat({ id: 'c1', title: 'Story' })
    return 'c1'
  })
  await say('Tell me a story.')
  const first = await host.nextAsked()
  await first.write('Once upon a time ')
  await expect.element(answers().getByText('Once upon a time')).toBeVisible()
  await button('Stop').click()
  await button('Continue').click()
  return host.nextAsked()
}

test('an answer that was cut off goes on in its place, and both versions are there', async () => {
  const second = await goOnAfterStop()
  // No new text has arrived, and the earlier text is still there.
  await expect.element(answers().getByText('Once upon a time')).toBeVisible()
  expect(questions().elements()).toHaveLength(1)
  await second.write('a time there was ')
  await second.say('a heron.')
  await expect.element(answers().getByText('Once upon a time there was a heron.')).toBeVisible()
  await expect.element(answers().getByText('Version 2 / 2')).toBeVisible()
  expect(answers().elements()).toHaveLength(1)
  expect(page.getByRole('button', { name: 'Continue' }).elements()).toHaveLength(0)
  await button('Previous version').click()
  await expect.element(answers().getByText('This answer was cut short here.')).toBeVisible()
  expect(answers().getByText('a heron').elements()).toHaveLength(0)
})

test('when the model cannot go on, the answer stays as it was, and the reason is told', async () => {
  const second = await goOnAfterStop()
  await second.fail(400, 'no such thing')
  await expect.element(button('Continue')).toBeVisible()
  await expect.element(transcript().getByText(/no such thing/)).toBeVisible()
  expect(answers().elements()).toHaveLength(1)
})

test('after an answer in circles, a new chat and another model are offered, and no more of the circle', async () => {
  const host = await showWindow(({ seed }) => {
    void seed.chat({ id: 'c1', title: 'Story' })
    return 'c1'
  })
  const circle = 'I am going to try to figure that out for you, and then I will tell you all about it. '
  await say('What can you do?')
  await (await host.nextAsked()).say(circle.repeat(60))
  await (await host.nextAsked()).say(circle.repeat(60))
  await expect.element(transcript().getByText(/goes in circles/)).toBeVisible()
  await expect.element(transcript().getByRole('button', { name: 'Another model' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Continue' }).elements()).toHaveLength(0)
  await transcript().getByRole('button', { name: 'New chat' }).click()
  await expect.element(page.getByRole('heading', { name: 'Story' })).not.toBeInTheDocument()
})
