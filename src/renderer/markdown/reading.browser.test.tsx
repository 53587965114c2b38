import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../test/accessible.ts'
import { aReply, aUserMessage } from '../test/messages.ts'
import { button, composer, showWindow, transcript } from '../test/show-window.tsx'

/** A chat whose answer is this text. */
const showAnswer = (text: string) =>
  showWindow(host => {
    void host.seed.chat({ id: 'c1', title: 'Long', messages: [aUserMessage(), aReply({ text })] })
    return 'c1'
  })
function onClipboard() {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  onTestFinished(() => copied.mockRestore())
  return () => copied.mock.lastCall?.[0] ?? ''
}
const drawn = (selector: string) => document.querySelectorAll(`.prose ${selector}`).length
const lettersDrawn = () => document.querySelector('.prose')!.textContent.length
const onlyInside = () => expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)

test('a table is copied as CSV, with its formulas harmless and its markup gone', async () => {
  const copied = onClipboard()
  await showAnswer('| Name | **Sum** |\n| - | - |\n| a, b | =1+1 |\n| `c` | -5 |\n| $x^2$ | @x |')
  await button('Copy the table as CSV').click()
  expect(copied()).toBe('Name,Sum\r\n"a, b",\'=1+1\r\nc,-5\r\n$x^2$,\'@x\r\n')
  await expect.element(page.getByRole('group', { name: 'Table' })).toHaveAttribute('tabindex', '0')
  await expectAccessible()
})

test('a table of ten thousand cells is drawn in parts and copied whole', async () => {
  const copied = onClipboard()
  const row = (at: number) => `| ${Array.from({ length: 10 }, (_, cell) => `${at}.${cell}`).join(' | ')} |`
  await showAnswer(
    `${row(0)}\n|${' - |'.repeat(10)}\n${Array.from({ length: 1_000 }, (_, at) => row(at + 1)).join('\n')}`,
  )
  await expect.poll(() => drawn('td')).toBe(1_000)
  await button(/^Show more: 900 of 1,000 rows/).click()
  await expect.poll(() => drawn('td')).toBe(5_000)
  await button('Copy the table as CSV').click()
  await expect.poll(() => copied().split('\r\n').length).toBe(1_002)
  expect(copied()).toContain('1000.0,1000.1')
})

test('after the last “Show more” of a long text the conversation has the focus', async () => {
  await showAnswer('word '.repeat(60_000))
  const more = button(/^Show more/)
  await expect.element(more).toBeVisible()
  more.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(more).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(more).not.toBeInTheDocument()
  await expect.element(transcript()).toHaveFocus()
})

test('long code folds and unfolds, by keys too, and is copied whole', async () => {
  const copied = onClipboard()
  const code = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n')
  await showAnswer(`\`\`\`js\n${code}\n\`\`\``)
  const shown = () => document.querySelector('.code-block code')?.textContent
  await expect.poll(shown).toBe(code)
  await button('Fold the code').click()
  await expect.poll(() => shown()?.split('\n').length).toBe(12)
  await button('Copy code').click()
  expect(copied()).toBe(code)
  await button('Unfold the code').click()
  expect(shown()).toBe(code)
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Unfold the code')).toHaveFocus()
  expect(shown()?.split('\n').length).toBe(12)
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Fold the code')).toHaveFocus()
  expect(shown()).toBe(code)
})

test.for([
  ['code of a megabyte', `\`\`\`js\n${'const a = 1 // one\n'.repeat(55_000)}\`\`\``],
  ['one line of a megabyte in a block of code', `\`\`\`\n${'x'.repeat(1_000_000)}\n\`\`\``],
  ['one word of a megabyte', 'x'.repeat(1_000_000)],
  ['one line of a megabyte', 'word '.repeat(200_000)],
  ['a hundred thousand dollar signs', '$'.repeat(100_000)],
  ['a hundred thousand dollar signs with spaces', '$ '.repeat(100_000)],
  ['a list of a megabyte', '- item\n'.repeat(150_000)],
  ['brackets without an end', '['.repeat(100_000)],
  ['nested quotes', `${'>'.repeat(50_000)} deep`],
] as const)('%s: a part is drawn, and the window stays usable', async ([, text]) => {
  await showAnswer(text)
  await expect.poll(() => document.querySelector('.prose .fold-btn')).not.toBeNull()
  expect(lettersDrawn()).toBeLessThan(50_000)
  onlyInside()
  await button(/^Show more/).click()
  await expect.poll(lettersDrawn).toBeGreaterThan(20_500)
  onlyInside()
  await composer().fill('still here '.repeat(200))
  await expect.element(page.getByText(/^400 words, about/)).toBeVisible()
})

test('characters that are not seen are written out in code, and right-to-left text stays in its box', async () => {
  await showAnswer(
    '```js\nif (a\u202E b) {}\u200B\n```\n\n\u202Eturned\u202C \u200Fשלום\n\n| a\u202Eb | c |\n| - | - |\n| d | e |',
  )
  const code = () => document.querySelector('.code-block code')?.textContent
  await expect.poll(code).toBe('if (a⟨U+202E⟩ b) {}⟨U+200B⟩')
  onlyInside()
})

test('the length of a message is told, and that of what is typed', async () => {
  await showAnswer('Four words are here.')
  await button('Show figures').click()
  await expect.element(transcript().getByText('4 words, about 5 tokens')).toBeVisible()
  await button('Show length').click()
  await expect.element(transcript().getByText(/^1 word, about/)).toBeVisible()
  await composer().fill('你好世界 and more '.repeat(100))
  await expect.element(page.getByText(/^400 words, about/)).toBeVisible()
  // Of a sentence it is not told.
  await composer().fill('你好世界 and more')
  await expect.element(page.getByText(/^4(00)? words, about (?!5 )/)).not.toBeInTheDocument()
})

test('code has colours of its own where the settings say so', async () => {
  const host = await showAnswer('```js\nconst a = 1 // one\n```')
  const background = () => getComputedStyle(document.querySelector('.code-block')!).backgroundColor
  await expect.poll(() => drawn('.tok-keyword')).toBe(1)
  const usual = background()
  await host.elsewhere['app.setSettings']({ codeTheme: 'dark' })
  await expect.poll(background).not.toBe(usual)
  await expectAccessible()
  await host.elsewhere['app.setSettings']({ codeTheme: 'contrast' })
  await expect.poll(background).toBe('rgb(255, 255, 255)')
  await expectAccessible()
})
