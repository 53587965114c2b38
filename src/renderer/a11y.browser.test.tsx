import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aReply, aResult, aUserMessage } from './test/messages.ts'
import type { FakeHost, FakeHostOptions } from './test/fake-host.ts'
import { button, say, showApp, transcript } from './test/show-app.tsx'

const markdown = [
  '## Files\n\n| File | Size |\n| --- | --- |\n| `notes.md` | 2 kB |',
  '```js\n// a comment\nconst a = "text" + 1\n```',
  '- [x] done\n- [ ] open\n\n> A [link](https://example.org).',
].join('\n\n')

const history = (host: FakeHost) =>
  host.addSession({ id: 'c1', title: 'Files' }, [
    aUserMessage({ id: 1 }),
    aReply({ id: 2, text: '', calls: [{ id: 'call-1', name: 'terminal', arguments: { command: 'ls' } }] }),
    aResult({ id: 3, ok: false, text: 'Error: no such folder' }),
    aReply({ id: 4, text: markdown, reasoning: 'I look.' }),
  ]).id

async function aQuestion(theme: FakeHostOptions) {
  const host = await showApp(history, theme)
  await expect.element(transcript()).toBeVisible()
  await say('Run date')
  const run = await host.nextRun()
  const call = { id: 'call-2', name: 'terminal', arguments: { command: 'date' } }
  run.reply({ calls: [call] })
  run.call(call, 'Run date')
  void run.ask({ callId: 'call-2', detail: '--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new' })
  await say('Queued')
  await expect.element(page.getByRole('region', { name: 'A question for you' })).toBeVisible()
}

const screens: Record<string, (theme: FakeHostOptions) => Promise<unknown>> = {
  'the empty state': theme => showApp(() => {}, theme),
  'a chat with open tool cards': async theme => {
    await showApp(history, theme)
    await button(/Run ls Failed/).click()
    await button('Thoughts').click()
    await expect.element(transcript().getByText('const')).toBeVisible()
  },
  'a question that waits and a queue': aQuestion,
  'an error': async theme => {
    const host = await showApp(() => {}, theme)
    await say('Hello')
    const run = await host.nextRun()
    run.emit({ type: 'warning', text: 'Careful.' })
    run.emit({ type: 'error', text: 'Broken.', fix: 'Mend it.' })
    run.end('failed')
    await expect.element(button('Try again')).toBeVisible()
  },
  'what was learned, and what was not': async theme => {
    const host = await showApp(history, theme)
    await say('I use pnpm.')
    const run = await host.nextRun()
    for (const text of ['Prefers pnpm.', 'Lives in Bergen.'])
      host.notebook.add({ text, origin: 'agent', sessionId: 'c1', messageId: run.from })
    run.emit({ type: 'memory', revisions: [...host.notebook.revisions()] })
    run.reply({ text: 'I saved that.' })
    const claim = { quote: 'I saved that.', text: 'Uses pnpm.', target: 'user' } as const
    run.emit({ type: 'unsaved_claim', messageId: run.last(), ...claim })
    run.end()
    await button('Undo: Prefers pnpm.').click()
    await expect.element(button('Redo: Prefers pnpm.')).toBeEnabled()
    await expect.element(button('Save it now')).toBeVisible()
  },
  'what the model sees': async theme => {
    await showApp(host => {
      const parts = [
        'identity',
        'tools',
        'guidance',
        'user',
        'memory',
        'project',
        'facts',
        'history',
      ] as const
      const part = { tokens: 60, text: 'Some text.', stale: true }
      host.contexts.set(
        'c1',
        parts.map(name => ({ ...part, name, title: name })),
      )
      return history(host)
    }, theme)
    await button('Show what the model sees').click()
    await page.getByRole('button', { name: /^tools changed since 60 tokens/ }).click()
    await expect.element(page.getByText('Some text.')).toBeVisible()
  },
  'a search': async theme => {
    await showApp(history, theme)
    await page.getByRole('searchbox').fill('files')
    await expect.element(page.getByText('1 chat found')).toBeVisible()
  },
  'a message that was looked for': async theme => {
    await showApp(host => void history(host), theme)
    await page.getByRole('searchbox').fill('hello')
    await page.getByRole('button', { name: /^You.*Hello/ }).click()
    await expect.element(transcript().getByText('Hello')).toBeVisible()
  },
  'the list of models': async theme => {
    await showApp(
      host =>
        void host.models.push({ ...host.models[0]!, id: 'b', demo: false, kind: 'file', problem: 'Gone.' }),
      theme,
    )
    await button('Model: Built-in demo model').first().click()
  },
  'adding a server': async theme => {
    await showApp(() => {}, theme)
    await button('Add a model').click()
    await page.getByText('Server', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill('nonsense')
  },
  'the settings': async theme => {
    await showApp(() => {}, theme)
    await button('Settings').click()
  },
  'the shortcuts': async theme => {
    await showApp(() => {}, theme)
    await button('Keyboard shortcuts').click()
  },
  'a menu of a chat and a message in the corner': async theme => {
    await showApp(history, theme)
    await button('More for “Files”').click()
  },
  'a lost connection': async theme => {
    const host = await showApp(() => {}, theme)
    await expect.element(page.getByText('What can I do for you?')).toBeVisible()
    host.disconnect()
    await expect.element(button('Try now')).toBeVisible()
  },
  'a very narrow window': async theme => {
    await page.viewport(480, 800)
    await showApp(history, theme)
  },
}

const cases = Object.keys(screens).flatMap(name => [[name, 'light'] as const, [name, 'dark'] as const])

test.for(cases)('nothing stands in the way of anyone in %s, %s', async ([name, theme]) => {
  await screens[name]!({ hello: { settings: { theme, sendWith: 'enter' } } })
  await expect.poll(() => document.documentElement.dataset['theme']).toBe(theme)
  // Colours that are on their way from one to another are neither.
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
})
