import { answers, composer, lastAnswer, send, stopButton, transcript } from './chat.ts'
import { scrollTo, scrollUpTo, selectedText, selectText } from './clipboard.ts'
import { expect, senseless, test } from './scripted-server.ts'

const fence = '```'
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `const n${from + at} = ${from + at}\n`)

/** An answer in pieces, with a pause after the first one and another pause before the last one. */
function inParts(first: string, middle: readonly string[], last: string) {
  const [begun, grown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const text = [first, ...middle, last]
  return {
    reply: {
      text,
      delayMs: 5,
      // The first chunk contains only the role.
      halts: [
        { after: 2, until: begun.promise },
        { after: text.length, until: grown.promise },
      ],
    },
    grow: () => begun.resolve(),
    end: () => grown.resolve(),
  }
}

const growing = [
  ['a paragraph', 'The tide turns at noon ', senseless(120), 'and ends.', 'tide turns'],
  ['an entry of a list', '- first\n- The tide turns at noon ', senseless(120), 'and ends.', 'tide turns'],
  [
    'emphasis that is not closed yet',
    'Now **the tide turns ',
    senseless(120),
    'today** at last.',
    'tide turns',
  ],
  ['a cell of a table', '| a | b |\n| - | - |\n| tide turns | ', senseless(60), '|\n\nEnd.', 'tide turns'],
  ['code', `${fence}js\nconst first = 1\nconst second = 2\n`, lines(0, 120), `${fence}\n\nEnd.`, 'second'],
  ['long code', `${fence}js\nconst second = 2\n`, lines(0, 400), `${fence}\n\nEnd.`, 'second'],
  [
    'code in a list',
    `1. Run:\n\n   ${fence}\n   second\n`,
    senseless(80).map(word => `   ${word.trim()}\n`),
    `   ${fence}\n\nEnd.`,
    'second',
  ],
] as const

for (const [what, first, middle, last, wanted] of growing)
  test(`what is selected in ${what} stays while it is written, and at its end`, async ({ app, model }) => {
    const answer = inParts(first, middle, last)
    model.reply(answer.reply)
    await send(app, 'Write')
    await expect(lastAnswer(app)).toContainText(wanted)
    // The browser reports a selection a moment late. One that is made while the text is drawn again is lost,
    // and made again.
    await expect(async () => {
      await selectText(app, wanted)
      expect(await selectedText(app)).toBe(wanted)
    }).toPass()
    answer.grow()
    await expect.poll(async () => (await lastAnswer(app).innerText()).length).toBeGreaterThan(400)
    expect(await selectedText(app)).toBe(wanted)
    answer.end()
    await expect(stopButton(app)).toBeHidden()
    await expect(lastAnswer(app).getByRole('button', { name: 'Copy answer as Markdown' })).toBeAttached()
    expect(await selectedText(app)).toBe(wanted)
  })

test('a selection that is made by hand goes on growing with the pointer while the answer is written', async ({
  app,
  model,
}) => {
  const answer = inParts('The tide turns at noon today and again tonight. ', senseless(200), 'End.')
  model.reply(answer.reply)
  await send(app, 'Write')
  await expect(lastAnswer(app)).toContainText('tonight')
  const box = (await lastAnswer(app).locator('p').first().boundingBox())!
  const y = box.y + 10
  await app.mouse.move(box.x + 2, y)
  await app.mouse.down()
  await app.mouse.move(box.x + 60, y, { steps: 4 })
  const short = await selectedText(app)
  expect(short.length).toBeGreaterThan(2)
  answer.grow()
  await expect(lastAnswer(app)).toContainText(senseless(50).at(-1)!)
  await app.mouse.move(box.x + 160, y, { steps: 8 })
  await expect.poll(async () => (await selectedText(app)).length).toBeGreaterThan(short.length)
  expect((await selectedText(app)).startsWith(short)).toBe(true)
  await app.mouse.up()
  answer.end()
  await expect(stopButton(app)).toBeHidden()
  expect((await selectedText(app)).startsWith(short)).toBe(true)
})

test('a selection goes both ways, over two blocks, and goes when the reader clicks elsewhere', async ({
  app,
  model,
}) => {
  const answer = inParts('# The tides\n\nThe tide turns at noon ', senseless(200), 'End.')
  model.reply(answer.reply)
  await send(app, 'Write')
  await expect(lastAnswer(app)).toContainText('at noon')
  await transcript(app).focus()
  await selectText(app, 'tide turns', { backward: true })
  await app.keyboard.press('Shift+ArrowLeft')
  expect(await selectedText(app)).toBe(' tide turns')
  answer.grow()
  await expect(lastAnswer(app)).toContainText(senseless(90).at(-1)!)
  expect(await selectedText(app)).toBe(' tide turns')
  // The selection still goes from its end to its beginning.
  await app.keyboard.press('Shift+ArrowLeft')
  expect(await selectedText(app)).toBe('e tide turns')
  await composer(app).click()
  expect(await selectedText(app)).toBe('')
  answer.end()
  await expect(stopButton(app)).toBeHidden()
  expect(await selectedText(app)).toBe('')
})

const thoughts =
  'A table of the harbour would say when it turns. There is none here, so the moon has to do. It was full on Tuesday, ' +
  'which makes a spring tide likely. High water comes about fifty minutes later each day. Noon is near enough for a walk. '

test('thoughts that are read while they come keep what is selected in them', async ({ app, model }) => {
  const begun = Promise.withResolvers<void>()
  model.reply({
    reasoning: ['The person wants the tide. ', ...thoughts.split(/(?<= )/)],
    text: 'Noon.',
    delayMs: 5,
    halts: [{ after: 2, until: begun.promise }],
  })
  await send(app, 'When?')
  await transcript(app).getByRole('button', { name: /Think/ }).click()
  await expect(lastAnswer(app)).toContainText('wants the tide')
  await selectText(app, 'wants the tide')
  begun.resolve()
  await expect(lastAnswer(app)).toContainText('Noon.')
  await expect(stopButton(app)).toBeHidden()
  expect(await selectedText(app)).toBe('wants the tide')
})

test('what is selected is still selected when one scrolls away and back', async ({ app, model }) => {
  for (let part = 0; part < 5; part++) {
    model.reply({
      text: `Part ${part} begins. ${senseless(900, part).join('')} Part ${part} ends.`,
    })
    await send(app, `Part ${part}`)
    await expect(answers(app)).not.toHaveCount(0)
    await expect(lastAnswer(app)).toContainText(`Part ${part} ends.`)
    await expect(stopButton(app)).toBeHidden()
  }
  await selectText(app, 'Part 4 begins.')
  await scrollUpTo(app, 'Part 0 begins.')
  await scrollTo(app, 'end')
  await expect(transcript(app).getByText('Part 4 ends.')).toBeInViewport()
  expect(await selectedText(app)).toBe('Part 4 begins.')
})
