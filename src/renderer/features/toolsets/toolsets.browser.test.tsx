import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aHistory } from '../../test/messages.ts'
import { button, openWindow, startHost, transcript } from '../../test/show-window.tsx'

test('the button and its panel say which toolsets did not fit the model, and what to do', async () => {
  const host = await startHost(({ seed }) => void seed.chat({ id: 'c1', messages: aHistory(1) }))
  const listed = await host.elsewhere['toolset.list']({ sessionId: 'c1' })
  const { name, title } = listed.toolsets.find(each => each.name === 'terminal')!
  host.answer({
    'toolset.list': () => ({ ...listed, leftOut: { names: [name], contextTokens: 8_192 } }),
  })
  history.replaceState(null, '', '#chat=c1')
  await openWindow(host)
  await expect.element(transcript().getByText('Answer 1')).toBeVisible()
  await button(`Tools: ${title} left out`).click()
  await expect
    .element(page.getByRole('dialog', { name: 'Tools of this chat' }))
    .toMatchTextContent(
      'Terminal did not fit the model’s context window of 8,192 tokens: set a larger one on the page Models, or switch other tools off.',
    )
})
