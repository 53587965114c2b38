import { approval, composer, dialog, lastAnswer, send, transcript } from './chat.ts'
import { obstacles } from './obstacles.ts'
import { expect, test } from './served.ts'
import type { Page } from '@playwright/test'

/** Nothing is in the way in both themes, wide and narrow. */
async function expectClear(app: Page, name: string) {
  for (const scheme of ['light', 'dark'] as const) {
    await app.emulateMedia({ colorScheme: scheme })
    for (const width of [420, 1_280]) {
      await app.setViewportSize({ width, height: 820 })
      expect(await obstacles(app), `${name}, ${scheme}, ${width} pixels wide`).toEqual([])
    }
  }
}

test(
  'files go back with the chat, and two models are compared',
  { tag: '@story' },
  async ({ app, model }) => {
    await test.step('a changed file is offered before the turn is undone, and restored', async () => {
      model.reply(
        {
          toolCalls: [{ name: 'write_file', arguments: { path: 'heron.md', content: 'Herons are grey.\n' } }],
        },
        { text: 'Written.' },
      )
      await send(app, 'Write down that herons are grey')
      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await expect(lastAnswer(app)).toContainText('Written.')
      await send(app, '/undo')
      await dialog(app).getByRole('button', { name: 'Changes to heron.md' }).click()
      await expect(dialog(app)).toContainText('-Herons are grey.')
      await expectClear(app, 'what is left')
      await dialog(app).getByRole('checkbox', { name: 'heron.md' }).check()
      await dialog(app).getByRole('button', { name: 'Restore 1 file and go on' }).click()
      await expect(app.getByText('Restored 1 file.')).toBeVisible()
      await expect(composer(app)).toHaveValue('Write down that herons are grey')
    })

    await test.step('two models answer, also the built-in one, and a reload finds both answers', async () => {
      model.reply({ text: 'Herons are grey, and storks are white.' })
      await composer(app).fill('Which bird is white?')
      await app.getByRole('button', { name: 'Compare two models' }).click()
      await app.getByRole('combobox', { name: 'Second model' }).selectOption('builtin')
      await app.getByRole('button', { name: 'Send to both' }).click()
      const both = transcript(app).getByRole('region', { name: 'Answers to compare' })
      await expect(both.getByRole('button', { name: /^Keep/ })).toHaveCount(2)
      await app.reload()
      await expect(both).toContainText('storks are white')
      await expect(both.getByRole('button', { name: /^Keep/ })).toHaveCount(2)
      await expectClear(app, 'answers to compare')
      await both
        .getByRole('article')
        .filter({ hasText: 'storks are white' })
        .getByRole('button', { name: /^Keep/ })
        .click()
      await expect(both).toBeHidden()
      await expect(lastAnswer(app)).toContainText('storks are white')
      await expect(lastAnswer(app)).toContainText('/ 2')
    })
  },
)
