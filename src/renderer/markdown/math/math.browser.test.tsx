import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessible.ts'
import { aReply, aUserMessage } from '../../test/messages.ts'
import { button, say, showWindow, transcript } from '../../test/show-window.tsx'

/** A chat whose answer is this text. */
const showAnswer = (text: string) =>
  showWindow(host => {
    void host.seed.chat({ id: 'c1', title: 'Proof', messages: [aUserMessage(), aReply({ text })] })
    return 'c1'
  })
const formulas = () => [...document.querySelectorAll<HTMLElement>('.katex')]
const sources = () => [...document.querySelectorAll('.formula-source')].map(each => each.textContent)
const settled = async (count: number) => {
  await expect.poll(() => formulas().length, { interval: 20 }).toBe(count)
}

test('formulas are set, prices and shell variables stay text, and nothing is set before its end is there', async () => {
  const host = await showWindow()
  await say('Explain')
  const asked = await host.nextAsked()
  await asked.write('It costs $5, then $6, in $HOME:$PATH. Let \\(a^2\\) and $\\frac{1}')
  await settled(1)
  const shown = () => transcript().element().textContent
  expect(shown()).toContain('It costs $5, then $6, in $HOME:$PATH. Let')
  await expect.poll(shown).toContain('and $\\frac{1}')
  await asked.write('{2}$ be:\n\n\\[\nx\n= y\n')
  await settled(2)
  await asked.write('\\]\n\nDone.')
  await asked.end()
  await settled(3)
  expect(formulas().map(each => each.querySelector('annotation')?.textContent)).toEqual([
    'a^2',
    '\\frac{1}{2}',
    ' x = y ',
  ])
  await expectAccessible()
})

test('a formula on its own can be copied and scrolled by key', async () => {
  const text = `$$${'x + '.repeat(200)}y$$`
  await showAnswer(text)
  await settled(1)
  const wide = page.getByRole('group', { name: 'Formula' })
  await expect.element(wide).toHaveAttribute('tabindex', '0')
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await button('Copy the formula').click()
  expect(copied).toHaveBeenCalledWith(text)
})

test.for([
  ['an address', '$\\href{javascript:alert(1)}{x}$'],
  ['an address in plain', '$\\url{https://example.org}$'],
  ['a picture', '$\\includegraphics{https://example.org/a.png}$'],
  ['a class', '$\\htmlClass{dialog}{x}$'],
  ['a style', '$\\htmlStyle{position:fixed}{x}$'],
] as const)('%s in a formula leads nowhere', async ([, text]) => {
  await showAnswer(`${text} and $y$`)
  await settled(2)
  const answer = page.getByRole('article', { name: 'Talaria' }).element()
  expect(answer.querySelectorAll('a, img, .dialog, .katex [style*="fixed"]')).toHaveLength(0)
})

test.for([
  ['a definition that calls itself', '$\\def\\a{\\a\\a}\\a$'],
  [
    'a definition that stands for millions of letters',
    `$\\def\\a{${'x'.repeat(1_500)}}${'\\a'.repeat(900)}$`,
  ],
  ['doubling definitions', `$\\def\\a{xx}${'\\edef\\a{\\a\\a}'.repeat(40)}\\a$`],
  ['an unknown command', '$\\nothing{x}$'],
  ['an open brace', '$\\frac{1$'],
  ['very deep nesting', `$${'{'.repeat(1_900)}x${'}'.repeat(1_900)}$`],
] as const)('%s: the source is shown', async ([, text]) => {
  await showAnswer(`First $y$, then ${text}`)
  await expect.poll(sources).toEqual([text])
  await settled(1)
})

test('nothing that a formula draws leaves its box', async () => {
  await showAnswer(
    '$$\\rule{999em}{999em}$$\n\n$$\\kern{-99em}\\text{escapes}$$\n\nx $\\raisebox{-99em}{low}$ y $\\mathllap{\\text{a very long text to the left of all}}$',
  )
  await settled(4)
  expect(getComputedStyle(document.querySelector('.prose')!).overflow).toBe('clip')
  for (const each of document.querySelectorAll('.formula, .formula-line')) {
    const { width, height } = each.getBoundingClientRect()
    expect(width).toBeLessThanOrEqual(innerWidth)
    expect(height).toBeLessThan(2_000)
  }
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth)
})

test('thousands of formulas do not hold up the window', async () => {
  await showAnswer('$x^2$ '.repeat(2_000))
  await settled(500)
  await expect
    .element(
      transcript()
        .getByText(/\$x\^2\$/)
        .first(),
    )
    .toBeVisible()
})

test('hidden characters in a formula that cannot be set are written out', async () => {
  await showAnswer('$\\nothing{a\u202Eb}$')
  await expect.poll(sources).toEqual(['$\\nothing{a⟨U+202E⟩b}$'])
})
