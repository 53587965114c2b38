import { lastAnswer, send, stopButton, transcript } from './chat.ts'
import {
  allowClipboard,
  copySelected,
  refuseCopies,
  selectAllOf,
  selectBackTo,
  selectedText,
  selectText,
} from './clipboard.ts'
import { seedChat } from './seed-chat.ts'
import { expect, senseless, test } from './scripted-server.ts'
import type { Page } from '@playwright/test'

// One after the other, because the browsers of two tests share the computer's clipboard.
test.describe.configure({ mode: 'default' })

/** An answer that is drawn as Markdown. The code for that loads with the first one. */
const drawn = '.prose:not(.whitespace-pre-wrap)'

/** Select all of the newest answer's text, as a drag over it does, and copy it. */
async function copyAnswer(page: Page): Promise<{ text: string; html: string }> {
  await expect(stopButton(page)).toBeHidden()
  await selectAllOf(lastAnswer(page).locator(drawn))
  return copySelected(page)
}

/** Ask something that the model answers with this text. */
async function show(page: Page, model: { reply: (given: { text: string }) => void }, text: string) {
  await allowClipboard(page)
  model.reply({ text })
  await send(page, 'Show')
  await expect(lastAnswer(page).locator(drawn)).toBeVisible()
  await expect(stopButton(page)).toBeHidden()
}

test('formulas are copied once, as they were written', async ({ app, model }) => {
  await show(app, model, 'Here $a^2+b^2$ ends.\n\n$$\\frac{1}{2} = x$$\n\nAnd \\(c\\) too.\n')
  await expect(lastAnswer(app).locator('.katex')).toHaveCount(3)
  const { text, html } = await copyAnswer(app)
  expect(text).toBe('Here $a^2+b^2$ ends.\n\n$$\\frac{1}{2} = x$$\n\nAnd \\(c\\) too.')
  expect(html.match(/frac/g)).toHaveLength(1)

  await test.step('one in the middle of what is selected, too', async () => {
    await selectText(app, 're ', { to: ' ends' })
    expect((await copySelected(app)).text).toBe('re $a^2+b^2$ ends')
  })
})

test('lists are copied with their numbers, marks and what is done', async ({ app, model }) => {
  await show(
    app,
    model,
    '3. Third step\n4. Fourth step\n   - with `a part`\n   - and another\n\n- [x] paid\n- [ ] sent\n\nEnd.\n',
  )
  expect((await copyAnswer(app)).text).toBe(
    '3. Third step\n4. Fourth step\n  - with a part\n  - and another\n\n- [x] paid\n- [ ] sent\n\nEnd.',
  )

  await test.step('a selection that begins within an entry has the numbers of the others', async () => {
    await selectText(app, 'step', { to: 'Fourth' })
    const { text, html } = await copySelected(app)
    expect(text).toBe('step\n4. Fourth')
    expect(html).toMatch(/<li[^>]* value="4"/)
  })
  await test.step('words of one entry are copied alone, also by three clicks', async () => {
    await selectText(app, 'Third')
    expect((await copySelected(app)).text).toBe('Third')
    await lastAnswer(app).getByText('Third step').click({ clickCount: 3 })
    expect((await copySelected(app)).text.trim()).toBe('Third step')
  })
})

test('nothing is copied that is no text, and tables, lines and code are whole', async ({ app, model }) => {
  await show(
    app,
    model,
    'Run:\n\n```python\nif x:\n    print(1)\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n**Bold** line  \nnext &amp; more\n',
  )
  const { text, html } = await copyAnswer(app)
  expect(text).toBe('Run:\n\nif x:\n    print(1)\n\na\tb\n1\t2\n\nBold line\nnext & more')
  expect(html).toContain('<strong>Bold</strong>')
  expect(html).toContain('<td>2</td>')
  expect(html).not.toMatch(/class=|style=|<button/)
})

test('Arabic and Hebrew are copied as they were written, with their numbers', async ({ app, model }) => {
  await show(app, model, 'שלום, עולם:\n\n1. ראשון\n2. מילה `code` שנייה\n\nمرحبا $x^2$ بالعالم\n')
  const { text, html } = await copyAnswer(app)
  expect(text).toBe('שלום, עולם:\n\n1. ראשון\n2. מילה code שנייה\n\nمرحبا $x^2$ بالعالم')
  expect(html).toContain('dir="rtl"')
})

test('Ctrl+A in the conversation copies all that was said, and nothing else', async ({ app, model }) => {
  await allowClipboard(app)
  for (let part = 0; part < 5; part++) {
    model.reply({
      text: `Part ${part} begins. ${senseless(900, part).join('')}\n\n1. one of ${part}\n\nPart ${part} ends.`,
    })
    await send(app, `Question ${part}`)
    await expect(lastAnswer(app)).toContainText(`Part ${part} ends.`)
    await expect(stopButton(app)).toBeHidden()
  }
  await transcript(app).focus()
  await app.keyboard.press('Control+a')
  const { text } = await copySelected(app)
  const said = text.split('\n').filter(line => /^(?:Question|Part \d (?:ends|begins)|1\.)/.test(line))
  expect(said.map(line => line.slice(0, 12).trim())).toEqual(
    [0, 1, 2, 3, 4].flatMap(part => [
      `Question ${part}`,
      `Part ${part} begin`,
      `1. one of ${part}`,
      `Part ${part} ends.`,
    ]),
  )
  expect(text.includes('New chat')).toBe(false)

  await test.step('in the message field it selects what is written there', async () => {
    const field = app.getByRole('textbox', { name: 'Message', exact: true })
    await field.fill('Only this')
    await app.keyboard.press('Control+a')
    expect((await copySelected(app)).text).toBe('Only this')
  })
  await test.step('what is between two messages far from each other is copied although nobody draws it', async () => {
    await selectText(app, 'Part 4 ends')
    await selectBackTo(app, 'Part 0 ends.')
    const copied = await copySelected(app)
    expect(copied.text.slice(0, 40)).toBe('Part 0 ends.\n\nQuestion 1\n\nPart 1 begins.')
    expect(copied.text.includes('Part 3 ends.')).toBe(true)
    expect(copied.text.slice(-11)).toBe('Part 4 ends')
  })
})

test('a copy that the system refuses says so, and what was selected stays', async ({ app, model }) => {
  await show(app, model, 'Hello there.\n\n```js\nconst a = 1\n```\n')
  await refuseCopies(app)
  const said = app.getByText('Could not be copied. Select the text and press Ctrl+C.')
  for (const name of ['Copy answer as Markdown', 'Copy code', 'Copy message']) {
    await selectText(app, 'Hello')
    await transcript(app).getByRole('button', { name }).last().focus()
    await app.keyboard.press('Enter')
    await expect(said).toHaveCount(1)
    await expect(transcript(app).getByRole('button', { name: 'Copied' })).toHaveCount(0)
    expect(await selectedText(app)).toBe('Hello')
    await app.locator('.toasts').getByRole('button').click()
    await expect(said).toHaveCount(0)
  }
})

test('all of a chat is copied that is longer than what is loaded', async ({
  app,
  folders,
  endHost,
  relaunch,
}) => {
  await expect(app.getByRole('button', { name: 'New chat' }).first()).toBeVisible()
  await endHost()
  const turns = 400
  seedChat(folders, 'A long chat', turns, turn => `3. **Answer** ${turn}\n4. with $a^${turn}$\n`)
  const page = await relaunch()
  await allowClipboard(page)
  await page.getByRole('button', { name: 'A long chat' }).first().click()
  await expect(transcript(page)).toContainText(`Answer ${turns - 1}`)
  await expect(transcript(page)).toContainText(`Answer ${turns}`)
  await transcript(page).focus()
  const wanted = Array.from({ length: turns }, (_, at) => at + 1)
    .map(turn => `Question ${turn}.\n\n3. Answer ${turn}\n4. with $a^${turn}$`)
    .join('\n\n')
  await test.step('at once, while the rest is loaded', async () => {
    await page.keyboard.press('Control+a')
    expect((await copySelected(page)).text === wanted).toBe(true)
  })

  await test.step('and again, when all of it is there', async () => {
    await page.keyboard.press('Control+a')
    expect((await copySelected(page)).text === wanted).toBe(true)
    await page.keyboard.press('Escape')
  })
})
