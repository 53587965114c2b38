import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { approval, card, dialog, lastAnswer, send } from './chat.ts'
import { callOf, expect, test } from './served.ts'

const code =
  'Here:\n\n```ts\nconst answer: number = 42 // always\n```\n\n| a | b |\n|---|---|\n| 1 | [two](https://example.com/) |\n\n- [x] done\n'

/** What stands in somebody's way in a part of the window, as axe sees it, with the place. */
async function obstacles(page: Page, part = 'body'): Promise<string[]> {
  // A colour on its way to another one has neither's contrast.
  const changing = 'document.getAnimations().filter(each => each instanceof CSSTransition).length'
  await expect.poll(() => page.evaluate(changing)).toBe(0)
  const { violations } = await new AxeBuilder({ page }).include(part).analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(node => `${id}: ${help} – ${node.target.join(' ')}`),
  )
}

for (const [theme, width] of [
  ['light', 1_280],
  ['dark', 1_280],
  ['light', 480],
] as const) {
  test.describe(`${theme}, ${width} pixels wide`, () => {
    test.use({ config: { ui: { theme } } })

    test('nothing stands in anybody’s way', async ({ app, model }) => {
      await app.setViewportSize({ width, height: 820 })
      await expect(app.locator('html')).toHaveAttribute('data-theme', theme)
      expect(await obstacles(app), 'a new chat').toEqual([])

      model.reply(callOf('echo one'), { text: code }, callOf('echo two'))
      await send(app, 'Show me code')
      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await card(app, /echo one/).click()
      await send(app, 'And again')
      await expect(approval(app)).toBeVisible()
      expect(await obstacles(app), 'a chat with code, an open tool card and a question').toEqual([])

      await app
        .getByRole('button', { name: /^Model: / })
        .first()
        .click()
      expect(await obstacles(app, ':popover-open'), 'the models').toEqual([])
      await dialog(app).getByRole('button', { name: 'Add a server…' }).click()
      expect(await obstacles(app, 'dialog'), 'adding a server').toEqual([])
      await app.keyboard.press('Escape')
      await app.keyboard.press('ControlOrMeta+,')
      expect(await obstacles(app, 'dialog'), 'the settings').toEqual([])
      await app.keyboard.press('Escape')

      const overflow = await app.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(overflow, 'nothing sticks out').toBeLessThanOrEqual(0)
    })
  })
}

test('in a narrow window the chats are a click away', async ({ app, model }) => {
  await app.setViewportSize({ width: 480, height: 820 })
  model.reply({ text: 'Narrow.' })
  await send(app, 'First')
  await expect(lastAnswer(app)).toHaveText('Narrow.')
  await app.getByRole('button', { name: 'Open the list of chats' }).click()
  await dialog(app).getByRole('button', { name: 'New chat', exact: true }).click()
  await expect(dialog(app)).toHaveCount(0)
  await app.getByRole('button', { name: 'Open the list of chats' }).click()
  await dialog(app).getByRole('button', { name: 'First', exact: true }).click()
  await expect(lastAnswer(app)).toHaveText('Narrow.')
})
