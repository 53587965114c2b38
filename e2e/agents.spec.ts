import { approval, card, chatRow, composer, lastAnswer, send, transcript } from './chat.ts'
import { queryDatabase } from './query-database.ts'
import { expect, test, words } from './scripted-server.ts'

test(
  'two sub-agents: one asks with its name and is allowed, the other is stopped alone, and one is opened',
  { tag: '@story' },
  async ({ app, model }) => {
    const endless = words(6, 3)
    model.reply(
      {
        toolCalls: [
          { name: 'delegate', arguments: { goal: 'Look at the notes' } },
          { name: 'delegate', arguments: { goal: 'Look at the tests' } },
        ],
      },
      // Whichever of the two comes first never stops writing, and the other one calls a tool.
      endless,
      { toolCalls: [{ name: 'terminal', arguments: { command: 'echo from the sub-agent' } }] },
      { text: 'It said so.' },
      { text: 'One was stopped.' },
    )
    await send(app, 'Have two look at it.')
    await expect(card(app, /^worker 1: Look at the notes/)).toBeVisible()
    await expect(card(app, /^worker 2: Look at the tests/)).toBeVisible()
    await expect(approval(app)).toContainText(/worker [12]: Run a command/)
    const asking = /worker [12]/.exec(await approval(app).innerText())![0]
    const other = asking === 'worker 1' ? 'worker 2' : 'worker 1'
    await expect(card(app, new RegExp(`^${asking}: .*asks you`, 's'))).toBeVisible()
    if (process.env['TALARIA_SHOTS'])
      await app.screenshot({ path: `${process.env['TALARIA_SHOTS']}/agents.png` })
    await approval(app)
      .getByRole('button', { name: /^Allow once/ })
      .click()
    await expect(card(app, new RegExp(`^${asking}: .*answered`, 's'))).toBeVisible()
    await app.getByRole('button', { name: `Stop only ${other}` }).click()
    await expect(card(app, new RegExp(`^${other}: .*stopped`, 's'))).toBeVisible()
    await expect(lastAnswer(app)).toHaveText('One was stopped.')
    const told = JSON.stringify(model.chats().at(-1)?.body.messages)
    expect(told).toContain('“echo from the sub-agent” → exit code 0')
    expect(told).toContain('ended: stopped before it was finished')

    await app.getByRole('button', { name: `Open the chat of ${asking}` }).click()
    await expect(app.getByText(/^This sub-agent works for /)).toBeVisible()
    await expect(transcript(app)).toContainText('It said so.')
    await expect(composer(app)).toHaveAttribute('placeholder', 'Message this sub-agent')
    await expect(app.getByRole('button', { name: 'Edit message' })).toHaveCount(0)
    if (process.env['TALARIA_SHOTS'])
      await app.screenshot({ path: `${process.env['TALARIA_SHOTS']}/agent-chat.png` })

    model.reply({ text: 'It is Thursday.' })
    await send(app, 'And the day?')
    await expect(lastAnswer(app)).toHaveText('It is Thursday.')
    await app.getByRole('button', { name: 'Back to that chat' }).click()
    await expect(lastAnswer(app)).toHaveText('One was stopped.')
    await expect(card(app, new RegExp(`^${asking}: .*answered`, 's'))).toBeVisible()
  },
)

test('after a kill the chat says which sub-agents in the background were cut off, and hands on what they did', async ({
  app,
  folders,
  model,
  relaunch,
}) => {
  const background = true
  const never = words(1, 0)
  model.reply(
    {
      toolCalls: [
        { name: 'delegate', arguments: { goal: 'Look at the notes', background } },
        { name: 'delegate', arguments: { goal: 'Look at the tests', background } },
      ],
    },
    ({ body }) => (JSON.stringify(body.messages[1]).includes('## Goal') ? never : { text: 'They work.' }),
  )
  await send(app, 'Have two look at it.')
  await expect(lastAnswer(app)).toHaveText('They work.')
  await expect
    .poll(() => queryDatabase(folders.home, 'select ended_at from delegations'))
    .toEqual([null, null])
  await expect.poll(() => model.chats().length).toBe(4)

  const window = await relaunch('kill')
  await chatRow(window, 'Have two look at it.').click()
  const report = window.getByRole('region', { name: 'Sub-agents have ended' })
  await expect(report).toContainText('2 sub-agents have ended')
  await expect(report).toContainText('worker 1 (cut off when Talaria ended)')
  await expect(report).toContainText('worker 2 (cut off when Talaria ended)')
  await expect(card(window, /^worker 1: .*cut off when Talaria ended/s)).toBeVisible()
  expect(model.chats()).toHaveLength(4)
  model.reply({ text: 'I see.' })
  await send(window, 'And?')
  await expect(lastAnswer(window)).toHaveText('I see.')
  await expect(report).toBeHidden()
  expect(JSON.stringify(model.chats().at(-1)?.body.messages.at(-1))).toContain(
    'The sub-agent worker 1 was cut off when Talaria ended',
  )
})
