import { approval, card, lastAnswer, send } from './chat.ts'
import { callOf, expect, test } from './served.ts'

// U+202E reverses what follows it on the screen, U+0430 is a Cyrillic letter, U+200B has no width.
const command = 'echo s\u0430fe #\u202e;txet neddih\u200b'
const shown = 'echo s⟨U+0430⟩fe #⟨U+202E⟩;txet neddih⟨U+200B⟩'

test('hidden characters of a command are written out, before it runs and after', async ({ app, model }) => {
  model.reply(callOf(command), { text: 'It ran.' })
  await send(app, 'Run it')
  await expect(approval(app)).toContainText(shown)
  await approval(app).getByRole('button', { name: 'Allow once' }).click()
  await expect(lastAnswer(app)).toHaveText('It ran.')
  const done = card(app, /Run echo/)
  await expect(done).toContainText(shown)
  await done.click()
  await expect(app.locator('body')).not.toContainText(/[\u202e\u200b]/)
})
