import { lastAnswer, send } from './chat.ts'
import { expect, test } from './scripted-server.ts'

const text =
  'The area is \\(\\vec{a} \\times \\pi r^2\\), for $5.\n\n$$\n\\frac{1}{2}\n= x\n$$\n\n```js\nconst a = 1\n```\n\n[More](https://example.org/a)\n'

/** The fonts of formulas that the page has loaded. */
const fontsLoaded =
  "[...document.fonts].filter(font => /KaTeX/.test(font.family) && font.status === 'loaded').length"

// The fixture fails a spec whose page breaks its security policy, as a formula's styles or fonts could.
test('formulas are set under the policy of the page, load their fonts only when used, and are printed', async ({
  app,
  model,
}) => {
  expect(await app.evaluate(fontsLoaded)).toBe(0)
  model.reply({ text })
  await send(app, 'How large?')
  await expect(lastAnswer(app).locator('.katex')).toHaveCount(2)
  await expect(lastAnswer(app)).toContainText('for $5.')
  await expect.poll(() => app.evaluate(fontsLoaded)).toBeGreaterThan(0)
  // The arrow of a vector needs its width as a style, which the policy forbids as an attribute.
  const arrow = lastAnswer(app).locator('.katex svg').first()
  expect((await arrow.boundingBox())!.width).toBeLessThan(20)

  await test.step('the whole chat is printed, and nothing else', async () => {
    await app.evaluate(
      `window.print = () => (window.printed = document.querySelector('.printed-chat').outerHTML)`,
    )
    await app.keyboard.press('Control+p')
    await expect.poll(() => app.evaluate('window.printed ?? ""')).toContain('katex')
    const printed = String(await app.evaluate('window.printed'))
    expect(printed).toContain('How large?')
    expect(printed).toContain('href="https://example.org/a"')
    await app.evaluate(`document.documentElement.dataset.theme = 'dark'`)
    await app.emulateMedia({ media: 'print' })
    expect(await app.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light')
    await expect(app.locator('.composer')).toBeHidden()
  })
})
