import { answers, composer, lastAnswer, send, stopButton, transcript } from './chat.ts'
import { newChat } from './memory.ts'
import { expect, test, words } from './scripted-server.ts'

const SENTENCE = 'I am sorry, but I cannot tell you more about that, because I am a model. '
/** An endless reply that repeats itself. Before that it pauses until `goOn` is called. */
function circle() {
  const seen = Promise.withResolvers<void>()
  const never = new Promise(() => {})
  const text = SENTENCE.repeat(200).match(/\S+\s*/g) ?? []
  const halts = [
    { after: 4, until: seen.promise },
    { after: text.length, until: never },
  ]
  return { text, halts, goOn: () => seen.resolve() }
}

test('an answer that loops or is empty is asked for once more', { tag: '@story' }, async ({ app, model }) => {
  await test.step('a looping answer is discarded and asked for once more, also after a reload', async () => {
    const first = circle()
    const better = words(150, 2)
    model.reply(first, better, { text: 'Of course.' })
    await send(app, 'What do you know?')
    await expect(lastAnswer(app)).toContainText('I am sorry')
    first.goOn()
    const note = transcript(app).getByText('The model repeated itself, so Talaria asked again.')
    await expect(note).toBeVisible()
    await expect(lastAnswer(app)).toContainText('word2 ')
    await expect(transcript(app)).not.toContainText('I am sorry')
    expect(await model.chats()[0]?.cut).toBe(true)

    await app.reload()
    await expect(note).toBeVisible()
    await expect(transcript(app)).not.toContainText('I am sorry')
    better.goOn()
    const whole = Array.from({ length: 150 }, (_, index) => `word${index + 1}`).join(' ')
    await expect(lastAnswer(app)).toHaveText(whole)
    await expect(stopButton(app)).toBeHidden()
    await app.reload()
    await expect(lastAnswer(app)).toHaveText(whole)
    await expect(answers(app)).toHaveCount(1)
    await expect(note).toHaveCount(1)
    await expect(transcript(app)).not.toContainText('I am sorry')

    const [asked, again] = model.chats().map(({ body }) => body)
    expect(again.messages).toEqual(asked.messages)
    expect([asked.seed, again.seed]).toEqual([undefined, expect.any(Number)])
    await send(app, 'Thank you')
    await expect(lastAnswer(app)).toHaveText('Of course.')
    expect(JSON.stringify(model.chats()[2]?.body.messages)).not.toContain('I am sorry')
  })

  await test.step('an answer that loops twice is cut where the loop began, with a note', async () => {
    await newChat(app)
    const circles = [circle(), circle()]
    for (const each of circles) each.goOn()
    model.reply(...circles, { text: 'Of course.' })
    await send(app, 'What do you know?')
    const warning = transcript(app).getByText(/^The model goes in circles, so its answer was cut/)
    await expect(warning).toBeVisible()
    for (const reload of [false, true]) {
      if (reload) await app.reload()
      await expect(warning).toBeVisible()
      await expect(lastAnswer(app)).toContainText(`${SENTENCE.trim()}This answer was cut short here.`)
      expect((await lastAnswer(app).innerText()).match(/I am sorry/g)).toHaveLength(1)
    }
    await send(app, 'Something else?')
    await expect(lastAnswer(app)).toHaveText('Of course.')
  })

  await test.step('an empty answer is asked for once more', async () => {
    await newChat(app)
    model.reply({ reasoning: 'What could they mean?' }, { text: 'Hello.' }, {})
    await send(app, 'Hi')
    await expect(lastAnswer(app)).toHaveText('Hello.')
    await expect(
      transcript(app).getByText('The model gave an empty answer, so Talaria asked again.'),
    ).toBeVisible()
    await send(app, 'And now?')
    await expect(
      transcript(app).getByText(/^The model answered with nothing\. Try other words/),
    ).toBeVisible()
    await expect(composer(app)).toBeEnabled()
    await expect(answers(app)).toHaveCount(1)
  })
})
