import { answers, approval, composer, lastAnswer, send, transcript } from './chat.ts'
import { newChat } from './memory.ts'
import { callOf, expect, test } from './scripted-server.ts'

/** A reply that pauses until `goOn` is called, then calls a tool. */
function aStep() {
  const gate = Promise.withResolvers<void>()
  const toolCalls = [{ name: 'list_files', arguments: {} }]
  return {
    reply: { text: 'I look first. ', toolCalls, halts: [{ after: 1, until: gate.promise }] },
    goOn: gate.resolve,
  }
}

test(
  'a message written during a turn reaches the model at the next chance',
  { tag: '@story' },
  async ({ app, model }) => {
    await test.step('a message written during a turn reaches the model before its next step', async () => {
      const step = aStep()
      model.reply(step.reply, { text: 'In German: drei Dateien.' })
      await send(app, 'Count the files')
      await expect.poll(() => model.chats().length).toBe(1)
      await send(app, 'Answer in German')
      const queue = app.getByRole('region', { name: 'Queued messages' })
      await expect(queue).toContainText('The model gets it before its next step')
      step.goOn()
      await expect(lastAnswer(app)).toContainText('drei Dateien')
      await expect(queue).toBeHidden()
      await expect(transcript(app).getByText('Answer in German')).toHaveCount(1)
      expect(JSON.stringify(model.chats()[1]!.body.messages)).toContain('Answer in German')
      expect(model.chats()).toHaveLength(2)
      // The text stays where it was given, also after a reload.
      await app.reload()
      await expect(transcript(app).getByText('Answer in German')).toHaveCount(1)
      await expect(composer(app)).toHaveValue('')
    })

    await test.step('a message written during the last step is the next message', async () => {
      await newChat(app)
      model.requests.length = 0
      const gate = Promise.withResolvers<void>()
      model.reply(
        { text: 'All done now.', halts: [{ after: 1, until: gate.promise }] },
        { text: 'You are welcome.' },
      )
      await send(app, 'Do it')
      await expect.poll(() => model.chats().length).toBe(1)
      await send(app, 'Thanks')
      await expect(app.getByRole('region', { name: 'Queued messages' })).toContainText('Thanks')
      gate.resolve()
      await expect(answers(app)).toHaveCount(2)
      await expect(lastAnswer(app)).toContainText('You are welcome.')
      await expect(transcript(app).getByText('Thanks')).toHaveCount(1)
    })

    await test.step('a message written while a question waits is the next message', async () => {
      await newChat(app)
      model.requests.length = 0
      model.reply(callOf('touch here'), { text: 'Touched.' }, { text: 'Now the other.' })
      await send(app, 'Touch it')
      await expect(approval(app)).toBeVisible()
      await send(app, 'Then the other one')
      const queue = app.getByRole('region', { name: 'Queued messages' })
      await expect(queue).toContainText('Will be sent when this answer is done')
      await approval(app).getByRole('button', { name: 'Deny', exact: true }).click()
      await expect(lastAnswer(app)).toContainText('Now the other.')
      await expect(queue).toBeHidden()
      expect(model.chats()).toHaveLength(3)
      expect(JSON.stringify(model.chats()[1]!.body.messages)).not.toContain('Then the other one')
    })

    await test.step('a message that is being edited is kept from the model', async () => {
      await newChat(app)
      model.requests.length = 0
      const step = aStep()
      model.reply(step.reply, { text: 'Looked.' }, { text: 'In French then.' })
      await send(app, 'Count the files')
      await expect.poll(() => model.chats().length).toBe(1)
      await send(app, 'Answer in German')
      const queue = app.getByRole('region', { name: 'Queued messages' })
      await queue.getByRole('button', { name: 'Edit' }).click()
      step.goOn()
      await queue.getByRole('textbox', { name: 'Queued message' }).fill('Answer in French')
      await queue.getByRole('button', { name: 'Save' }).click()
      await expect(lastAnswer(app)).toContainText('In French then.')
      expect(JSON.stringify(model.chats())).not.toContain('Answer in German')
    })
  },
)
