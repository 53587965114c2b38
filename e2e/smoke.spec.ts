import { expect, test } from './app.ts'

test('the window opens and takes a message', async ({ app }) => {
  const composer = app.getByRole('textbox', { name: /message/i })
  await composer.fill('Hello there')
  await expect(composer).toHaveText('Hello there')
})
