import { approval, composer, dialog, lastAnswer, send, transcript } from './chat.ts'
import { findViolations } from './accessibility.ts'
import { expect, test } from './scripted-server.ts'
import type { Page } from '@playwright/test'

/** Check that nothing is in the way, in both themes, wide and narrow. */
async function expectClear(app: Page, name: string) {
  for (const scheme of ['light', 'dark'] as const) {
    await app.emulateMedia({ colorScheme: scheme })
    for (const width of [420, 1_280]) {
      await app.setViewportSize({ width, height: 820 })
      expect(await findViolations(app), `${name}, ${scheme}, ${width} pixels wide`).toEqual([])
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
      await dialog(app).getByRole('button', { name: 'Delete heron.md' }).click()
      await expect(app.getByText('heron.md was deleted.')).toBeVisible()
      await expect(composer(app)).toHaveValue('Write down that herons are grey')
    })

    await test.step('a newcomer takes a written file back with two clicks, and undoes that with a third', async () => {
      model.reply(
        { toolCalls: [{ name: 'write_file', arguments: { path: 'shopping.txt', content: 'buy milk\n' } }] },
        { text: 'I created shopping.txt.' },
        { text: 'Storks are white.' },
      )
      await send(app, 'Write buy milk to shopping.txt')
      await approval(app).getByRole('button', { name: 'Allow once' }).click()
      await expect(lastAnswer(app)).toContainText('I created shopping.txt.')
      await send(app, 'Which bird is white?')
      await expect(lastAnswer(app)).toContainText('Storks are white.')
      await app.getByRole('button', { name: 'Undo: shopping.txt' }).click()
      await expect(dialog(app)).toContainText('It is deleted: it did not exist before.')
      await expectClear(app, 'what is taken back')
      await dialog(app).getByRole('button', { name: 'Delete shopping.txt' }).click()
      await expect(app.getByText('shopping.txt was deleted.')).toBeVisible()
      await expect(transcript(app)).toContainText('Storks are white.')
      await app.getByRole('button', { name: 'Redo: shopping.txt' }).click()
      await expect(app.getByRole('button', { name: 'Undo: shopping.txt' })).toBeVisible()
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
