import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../app.css'
import { expectAccessible } from '../test/accessible.ts'
import Markdown from './Markdown.tsx'

const prose = (at = 0) => document.querySelectorAll<HTMLElement>('.prose')[at]!
const seen = () => prose().textContent
const directionOf = (text: string) =>
  getComputedStyle(page.getByText(text, { exact: true }).element()).direction

/** Answers below each other, as in a chat. */
const showAnswers = (...texts: readonly string[]) =>
  render(
    <main>
      <h1>Answers</h1>
      {texts.map((text, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- they stay
        <Markdown key={at} text={text} live={false} />
      ))}
    </main>,
  )
const showGrowing = (text: string, live = true) => <Markdown text={text} live={live} />

const noted = (name: string) =>
  `${name} rises[^1] and rests[^b].\n\n${`A paragraph of ${name}.\n\n`.repeat(60)}[^1]: ${name} says one.\n\n[^b]: ${name} says **two**.\n`

test('a footnote mark leads to its note and back, by keys too, and only within its answer', async () => {
  await showAnswers(noted('Bread'), noted('Cake'))
  const marks = page.getByRole('button', { name: 'Footnote 2', exact: true })
  await expect.poll(() => marks.elements().length).toBe(2)
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
  const mark = prose(1).querySelector<HTMLElement>('[data-to-note="2"]')!
  mark.focus()
  await userEvent.keyboard('{Enter}')
  expect(document.activeElement?.textContent).toContain('Cake says two.')
  await expect.element(page.getByText('Cake says two.')).toBeInViewport()
  await userEvent.keyboard('{Tab}')
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Back to footnote mark 2')
  await userEvent.keyboard('{Enter}')
  expect(document.activeElement).toBe(mark)
  await expect.element(page.elementLocator(mark)).toBeInViewport()
  await expectAccessible()
})

test('each paragraph, item, cell, heading and quote has its own direction', async () => {
  await showAnswers(
    [
      'Here it is:',
      'مرحبا بالعالم.',
      '`npm start` זה הכול',
      '- first item\n- البند الثاني',
      '| left | ימין |\n|---|---|\n| one | שתיים |',
      '### عنوان',
      '> اقتباس',
      '12 ملفات',
      '<details>\n<summary>ملخص</summary>\n\nplain inside\n\n</details>',
    ].join('\n\n'),
  )
  for (const text of [
    'مرحبا بالعالم.',
    'البند الثاني',
    'ימין',
    'שתיים',
    'عنوان',
    'اقتباس',
    '12 ملفات',
    'ملخص',
  ])
    expect([text, directionOf(text)]).toEqual([text, 'rtl'])
  for (const text of ['Here it is:', 'first item', 'left', 'one', 'plain inside', 'npm start'])
    expect([text, directionOf(text)]).toEqual([text, 'ltr'])
  expect(getComputedStyle(page.getByText(/זה הכול/).element()).direction).toBe('rtl')
})

test('what is folded away opens by mouse and keys', async () => {
  await showAnswers('<details>\n<summary>More of it</summary>\n\n- hidden **item**\n\n</details>\n\nafter')
  const hidden = page.getByText('hidden item')
  await expect.element(hidden).not.toBeVisible()
  await page.getByText('More of it').click()
  await expect.element(hidden).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.element(hidden).not.toBeVisible()
  await expectAccessible()
})

test('what is unfolded while the answer grows stays so', async () => {
  const begin = '<details>\n<summary>More of it</summary>\n\ninside\n\n'
  const { rerender } = await render(showGrowing(begin))
  await page.getByText('More of it').click()
  await rerender(showGrowing(`${begin}and more\n\n</details>\n\nafter`))
  await expect.element(page.getByText('and more')).toBeVisible()
  await rerender(showGrowing(`${begin}and more\n\n</details>\n\nafter it`, false))
  await expect.element(page.getByText('and more')).toBeVisible()
})

test('a <br> in a cell begins a line', async () => {
  await showAnswers('| a | b |\n|---|---|\n| one<br>two<br/>three | four |')
  const [long, short] = [...document.querySelectorAll('td')]
  expect(long!.innerText.split('\n')).toEqual(['one', 'two', 'three'])
  const lineOf = (cell: HTMLElement) => {
    const range = document.createRange()
    range.selectNodeContents(cell)
    return range.getBoundingClientRect().height
  }
  expect(lineOf(long!)).toBeGreaterThan(2.5 * lineOf(short!))
})

test('of a long answer all words are there at every moment, and in the end all of it is drawn', async () => {
  const part = (at: number) =>
    `## Part ${at}\n\nText **bold** ${at}[^${at % 9}] and \`code\`.\n\n- one\n- two\n\n`
  const notes = Array.from({ length: 9 }, (_, at) => `[^${at}]: note of ${at}\n\n`).join('')
  const text = Array.from({ length: 600 }, (_, at) => part(at)).join('') + notes
  const wordsOf = (shown: string) => shown.match(/Part \d+|note of \d/g)?.length
  const moments: { drawn: number; words: number | undefined }[] = []
  const watch = new MutationObserver(() => {
    if (prose())
      moments.push({ drawn: document.querySelectorAll('.prose h2').length, words: wordsOf(seen()) })
  })
  watch.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => watch.disconnect())
  await showAnswers(text)
  await expect.poll(() => document.querySelectorAll('.prose h2').length).toBe(600)
  expect(new Set(moments.map(({ words }) => words))).toEqual(new Set([609]))
  // It was rendered in several slices.
  expect(new Set(moments.map(({ drawn }) => drawn)).size).toBeGreaterThan(5)
  await expect.poll(() => document.querySelectorAll('.prose-later').length).toBe(0)
  expect(document.querySelectorAll('.notes li').length).toBe(9)
})

test.for([
  ['a list', (at: number) => `- item **${at}** of it\n`, 'li'],
  ['a paragraph', (at: number) => `sentence **${at}** of it. `, 'strong'],
  ['a table', (at: number) => (at === 0 ? '| a |\n|---|\n' : `| row **${at}** |\n`), 'td'],
  ['marks that never close', (at: number) => `**_word${at} `, 'p'],
] as const)(
  '%s that grows for long: its words arrive, and at the end it is drawn whole',
  async ([, make, tag]) => {
    const count = 900
    let text = ''
    const { rerender } = await render(showGrowing(text))
    for (let at = 0; at < count; at++) {
      text += make(at)
      if (at % 60 === 0) await rerender(showGrowing(text))
    }
    await rerender(showGrowing(text))
    await expect.poll(() => seen().includes(`${count - 1}`)).toBe(true)
    await rerender(showGrowing(text, false))
    await expect
      .poll(() => document.querySelectorAll(`.prose ${tag}`).length)
      .toBe(tag === 'p' ? 1 : tag === 'td' ? count - 1 : count)
  },
)
