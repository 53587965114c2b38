import { composer, lastAnswer, send, transcript } from './chat.ts'
import {
  activityCount,
  activityWay,
  cardOf,
  finding,
  openActivity,
  press,
  reviewNow,
  teach,
  today,
  underWay,
  waiting,
} from './learning.ts'
import { corner, known, newChat, openMemory, promptOf } from './memory.ts'
import { expect, test } from './scripted-server.ts'

const pnpm = 'Uses pnpm, never npm.'
const bern = 'Lives in Bern.'
const nothingKnown = /^Nothing is known about you yet/
const nothing = { first: { worth: false } }
/** Review every turn as soon as it ends. */
const atOnce = { idle_seconds: 0, memory_nudge: 1, skill_nudge: 0 }

test.describe('in mode ask', () => {
  test.use({ config: { learning: atOnce } })

  test(
    'a review makes a proposal with a quote of the chat; once accepted, the next chat begins with it',
    { tag: '@story' },
    async ({ app, model }) => {
      const learner = teach(model, finding(pnpm))
      await send(app, 'Install the packages. I always use pnpm, never npm.')
      await expect(lastAnswer(app)).toContainText('All right.')
      await expect(activityCount(app)).toHaveText('1')
      await openActivity(app)
      await expect(waiting(app)).toHaveCount(1)
      const card = cardOf(waiting(app), pnpm)
      await expect(card).toContainText('Add to memory')
      await expect(card).toContainText('About you')
      await expect(card.getByRole('blockquote')).toHaveText('I always use pnpm, never npm.')
      await expect(card).toContainText('Nothing had been saved for a while')
      await expect(card).toContainText(/[\d.]+K? tokens, Test server/)
      // Nothing is saved until the user accepts it, and the review leaves no trace in the chat.
      await openMemory(app)
      await expect(app.getByText(nothingKnown)).toBeVisible()
      await app.goBack()

      await press(card, 'Show in the chat')
      await expect(transcript(app).getByText(/I always use pnpm, never npm/)).toBeInViewport()
      await expect(transcript(app).getByRole('article')).toHaveCount(2)
      await app.goBack()
      learner.finds(nothing)
      await press(card, 'Keep')
      await expect(corner(app)).toContainText(`Kept: ${pnpm}`)
      await expect(waiting(app)).toHaveCount(0)
      await expect(activityWay(app)).toHaveText('Activity')
      await expect(cardOf(today(app), pnpm)).toContainText('Kept')

      await openMemory(app)
      await expect(known(app)).toContainText([pnpm])
      await newChat(app)
      await send(app, 'Add a package.')
      await expect(lastAnswer(app)).toContainText('All right.')
      const [first, next] = learner.chats().map(promptOf)
      expect(first).not.toContain(pnpm)
      expect(next).toContain(`- ${pnpm}`)
    },
  )
})

test.describe('in mode save', () => {
  test.use({ config: { learning: { ...atOnce, mode: 'save' } } })

  test(
    'what a review saves is shown in a card with the reason, and one click undoes it',
    { tag: '@story' },
    async ({ app, model }) => {
      teach(model, finding(pnpm))
      await send(app, 'I always use pnpm, never npm.')
      await expect(lastAnswer(app)).toContainText('All right.')
      await openActivity(app)
      const card = cardOf(today(app), pnpm)
      await expect(card).toContainText('Saved by a review')
      await expect(activityWay(app)).toHaveText('Activity')
      await card.getByRole('heading', { name: pnpm }).getByRole('button').click()
      await expect(card).toContainText('Nothing had been saved for a while')
      await openMemory(app)
      await expect(known(app)).toContainText([pnpm])

      await openActivity(app)
      await press(card, 'Undo')
      await expect(corner(app)).toContainText('Undone.')
      await expect(card).toContainText('Undone')
      await expect(card.getByRole('button', { name: /^Undo/ })).toHaveCount(0)
      await openMemory(app)
      await expect(app.getByText(nothingKnown)).toBeVisible()
    },
  )
})

test.describe('after a long idle time', () => {
  test.use({ config: { learning: { ...atOnce, idle_seconds: 3_600 } } })

  test('open proposals and queued reviews are kept when the host is killed', async ({
    app,
    model,
    relaunch,
  }) => {
    const learner = teach(model, finding(pnpm))
    await send(app, 'I always use pnpm, never npm.')
    await expect(lastAnswer(app)).toContainText('All right.')
    await openActivity(app)
    await expect(underWay(app)).toContainText(['Will review “I always use pnpm, never npm.”'])
    expect(learner.looks()).toEqual([])
    await reviewNow(app)
    await expect(waiting(app)).toHaveCount(1)
    await newChat(app)
    await send(app, 'I live in Bern.')
    await expect(lastAnswer(app)).toContainText('All right.')
    await openActivity(app)
    await expect(underWay(app)).toHaveCount(1)

    const window = await relaunch('kill')
    await expect(activityCount(window)).toHaveText('1')
    await openActivity(window)
    await expect(cardOf(waiting(window), pnpm)).toBeVisible()
    await expect(underWay(window)).toContainText(['Will review “I live in Bern.”'])
    learner.finds(finding(bern))
    await reviewNow(window)
    await expect(cardOf(waiting(window), bern)).toBeVisible()
    await expect(underWay(window)).toHaveCount(0)
    await press(cardOf(waiting(window), pnpm), 'Keep')
    await press(cardOf(waiting(window), bern), 'Reject')
    await expect(waiting(window)).toHaveCount(0)
    await openMemory(window)
    await expect(known(window)).toHaveCount(1)
    await expect(known(window)).toContainText([pnpm])
  })
})

test.describe('with /learn', () => {
  test.use({
    config: { learning: { ...atOnce, memory_nudge: 0 } },
    workspaceFiles: {
      'release.md': 'Releases are made with make ship.',
      'tea.md': 'Tea is in the kitchen.',
      'b.bin': '\0',
    },
  })

  test('proposes, is stopped, or says why it cannot', { tag: '@story' }, async ({ app, model }) => {
    await test.step('a text file gives a proposal that waits on Activity', async () => {
      teach(model, finding('Tea is in the kitchen.'))
      await send(app, '/learn tea.md')
      const line = app.getByRole('region', { name: 'Learning from a text' })
      await expect(line).toContainText('tea.md: 1 proposal')
      await line.getByRole('button', { name: 'Review them' }).click()
      await expect(cardOf(waiting(app), 'Tea is in the kitchen.')).toContainText(
        'This comes from a text that you named.',
      )
    })

    await test.step('reading can be stopped: the model is cut off, and the same text can be read again', async () => {
      await newChat(app)
      model.requests.length = 0
      const learner = teach(model, finding('Releases are made with make ship.'))
      const over = Promise.withResolvers<void>()
      model.reply({ text: 'Well', halts: [{ after: 1, until: over.promise }] })
      await send(app, '/learn release.md')
      const line = app.getByRole('region', { name: 'Learning from a text' })
      await expect(line).toContainText('Reading release.md…')
      await expect.poll(() => learner.looks().length).toBe(1)
      await line.getByRole('button', { name: 'Stop' }).click()
      await expect(line).toBeHidden()
      expect(await learner.looks()[0]!.cut).toBe(true)
      await expect(composer(app)).toHaveValue('')

      teach(model, finding('Releases are made with make ship.'))
      await send(app, '/learn release.md')
      await expect(line).toContainText('release.md: 1 proposal')
      await line.getByRole('button', { name: 'Close' }).click()
      await expect(line).toBeHidden()
    })

    await test.step('what cannot be read gives the reason, and the typed text stays', async () => {
      await send(app, '/learn b.bin')
      await expect(app.getByText(/b\.bin is not a text file\./)).toBeVisible()
      await expect(composer(app)).toHaveValue('/learn b.bin')
    })

    await test.step('without a model that answers, the line goes with the reason, and the typed text stays', async () => {
      await model.close()
      await send(app, '/learn release.md')
      await expect(app.getByText(/^The model could not read it: Nothing answers at 127/)).toBeVisible()
      await expect(app.getByRole('region', { name: 'Learning from a text' })).toBeHidden()
      await expect(composer(app)).toHaveValue('/learn release.md')
    })
  })
})
