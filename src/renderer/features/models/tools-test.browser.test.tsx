import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Model, ToolsVerdict } from '../../../shared/contract/models/model.ts'
import { goTo } from '../../route.ts'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { button, openWindow, say, startHost, transcript } from '../../test/show-window.tsx'
import { fill as fillSkills, haiku } from '../../test/skill-editor.tsx'
import type { Asked } from '../../test/model-script.ts'
import { card, details, fill, showModels } from '../../test/models.tsx'

const NEVER_ALONE = /In a chat this model calls no tools by itself/

/** A model that calls a tool only when it is told which one. */
async function callWhenTold(asked: Asked): Promise<void> {
  const [, tool] = /Use the tool (\w+)/.exec(asked.text) ?? []
  if (tool === undefined) return asked.say('I would look at the folder.')
  const given = tool === 'terminal' ? { command: 'date' } : { path: 'notes.txt' }
  await asked.call(tool, given)
  await asked.end()
}

test('the tools of a server are tested with progress, and its badge says what came of it', async () => {
  const host = await showModels()
  await expect.element(card('Served model')).toMatchTextContent('Tools not tested yet')
  await details('Served model').click()
  await button('Test tools: Served model').click()
  const first = await host.nextAsked()
  await expect.element(page.getByText('Asking for a call to read_file, 1 of 3…')).toBeVisible()
  await expect.element(button('Stop: Served model')).toBeVisible()
  host.modelSays(asked => void callWhenTold(asked))
  await callWhenTold(first)
  await expect.element(page.getByText('read_file called only with help')).toBeVisible()
  await expect.element(page.getByText(/^Works with help: it called nothing by itself/)).toBeVisible()
  await expect.element(card('Served model').getByText('Tools work with help', { exact: true })).toBeVisible()
  await expect.element(card('Served model')).toMatchTextContent(NEVER_ALONE)
  await expect.element(card('Served model')).toMatchTextContent('0 of 3 calls without help, tested')
  await expectAccessibleAt(400, 1_100)
})

test('a test can be stopped, and then nothing is kept', async () => {
  const host = await showModels()
  await details('Served model').click()
  await button('Test tools: Served model').click()
  const asked = await host.nextAsked()
  await button('Stop: Served model').click()
  await expect.element(page.getByText('Stopped. Nothing was saved.')).toBeVisible()
  await expect.poll(() => asked.isCut()).toBe(true)
  await expect.element(card('Served model')).toMatchTextContent('Tools not tested yet')
  await expect.element(button('Test tools: Served model')).toBeVisible()
})

test('why a model cannot be tested now is said where the test was started', async () => {
  const host = await showModels()
  await details('huge-70b').click()
  await button('Test tools: huge-70b').click()
  await expect
    .element(
      card('huge-70b')
        .getByText(/does not fit|too big|memory/i)
        .first(),
    )
    .toBeVisible()
  await expect.element(button('Test tools: huge-70b')).toBeVisible()
  expect(host.asked.filter(({ name }) => name === 'model.test')).toHaveLength(1)
})

/** The same models, with what their tests have shown. */
async function tried(verdicts: Partial<Record<string, ToolsVerdict['tools']>>) {
  const host = await startHost(each => {
    fill(each)
    fillSkills(each)
    each.modelSays(asked => void asked.say('Hello.'))
  })
  const list = await host.elsewhere['model.list']({})
  const models = list.models.map((model): Model => {
    const tools = verdicts[model.name]
    return { ...model, tools: tools ? { tools, byItself: tools === 'work' ? 3 : 0, of: 3, at: 1 } : null }
  })
  host.answer({ 'model.list': () => ({ ...list, models }) })
  return host
}

test('a chat with a model that calls no tools by itself says so once', async () => {
  const host = await tried({ 'Served model': 'helped' })
  await openWindow(host)
  await expect.element(page.getByText(NEVER_ALONE)).toBeVisible()
  await say('Hi!')
  await expect.element(transcript().getByText('Hello.')).toBeVisible()
  await expect.element(transcript().getByText(NEVER_ALONE)).toBeVisible()
  await say('And you?')
  await expect.poll(() => transcript().getByText('Hello.').all().length).toBe(2)
  expect(page.getByText(NEVER_ALONE).all()).toHaveLength(1)
})

test('a trial of a skill says it beside what the model says', async () => {
  const host = await tried({ 'Served model': 'helped' })
  await openWindow(host)
  goTo({ page: 'skills', skillId: haiku, tab: 'test' })
  await expect.element(page.getByText('Would it trigger?').first()).toBeVisible()
  await expect.element(page.getByText(NEVER_ALONE)).toBeVisible()
})

test('a chat with a model whose tools work says nothing of them', async () => {
  const host = await tried({ 'Served model': 'work' })
  await openWindow(host)
  await say('Hi!')
  await expect.element(transcript().getByText('Hello.')).toBeVisible()
  expect(page.getByText(NEVER_ALONE).all()).toHaveLength(0)
})
