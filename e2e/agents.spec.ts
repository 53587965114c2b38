import { approval, card, composer, lastAnswer, send, transcript } from './chat.ts'
import { expect, test, words } from './served.ts'

test('two sub-agents: one asks with its name and is allowed, the other is stopped alone, and one is opened', async ({
  app,
  model,
}) => {
  const endless = words(6, 3)
  model.reply(
    {
      toolCalls: [
        { name: 'delegate', arguments: { goal: 'Look at the notes' } },
        { name: 'delegate', arguments: { goal: 'Look at the tests' } },
      ],
    },
    // Whichever of the two is first writes on, the other one calls a tool.
    endless,
    { toolCalls: [{ name: 'terminal', arguments: { command: 'echo from the sub-agent' } }] },
    { text: 'It said so.' },
    { text: 'One was stopped.' },
  )
  await send(app, 'Have two look at it.')
  await expect(card(app, /^worker 1: Look at the notes/)).toBeVisible()
  await expect(card(app, /^worker 2: Look at the tests/)).toBeVisible()
  await expect(approval(app)).toContainText(/worker [12]: Run a command in/)
  const asking = /worker [12]/.exec(await approval(app).innerText())![0]
  const other = asking === 'worker 1' ? 'worker 2' : 'worker 1'
  await expect(card(app, new RegExp(`^${asking}: .*asks you`, 's'))).toBeVisible()
  if (process.env['TALARIA_SHOTS'])
    await app.screenshot({ path: `${process.env['TALARIA_SHOTS']}/agents.png` })
  await approval(app)
    .getByRole('button', { name: /^Allow once/ })
    .click()
  await expect(card(app, new RegExp(`^${asking}: .*answered`, 's'))).toBeVisible()
  await app.getByRole('button', { name: `Stop ${other} alone` }).click()
  await expect(card(app, new RegExp(`^${other}: .*stopped`, 's'))).toBeVisible()
  await expect(lastAnswer(app)).toHaveText('One was stopped.')
  const told = JSON.stringify(model.chats().at(-1)?.body.messages)
  expect(told).toContain('“echo from the sub-agent” → exit code 0')
  expect(told).toContain('ended: stopped before it was finished')

  await app.getByRole('button', { name: `Open the chat of ${asking}` }).click()
  await expect(app.getByText(/^Works for /)).toBeVisible()
  await expect(transcript(app)).toContainText('It said so.')
  await expect(composer(app)).toHaveAttribute('placeholder', 'Tell it …')
  await expect(app.getByRole('button', { name: 'Edit message' })).toHaveCount(0)
  if (process.env['TALARIA_SHOTS'])
    await app.screenshot({ path: `${process.env['TALARIA_SHOTS']}/agent-chat.png` })
})
