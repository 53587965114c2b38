import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from './test/accessible.ts'
import { aReply, aResult, aUserMessage } from './test/messages.ts'
import { button, say, showWindow, transcript } from './test/show-window.tsx'
import type { PreparedHost } from './test/test-host.ts'
import { showToast } from './ui/Toasts.tsx'

const markdown = [
  '## Files\n\n| File | Size |\n| --- | --- |\n| `notes.md` | 2 kB |',
  '```js\n// a comment\nconst a = "text" + 1\n```',
  '- [x] done\n- [ ] open\n\n> A [link](https://example.org).',
].join('\n\n')

const history = (host: PreparedHost) => {
  const ls = { id: 'call-1', name: 'terminal', arguments: { command: 'ls' } }
  const messages = [
    aUserMessage({ id: 1 }),
    aReply({ id: 2, text: '', calls: [ls] }),
    aResult({ id: 3, ok: false, text: 'Error: no such folder' }),
    aReply({ id: 4, text: markdown, reasoning: 'I look.' }),
  ]
  void host.seed.chat({ id: 'c1', title: 'Files', messages })
  return 'c1'
}
const withDemo = { config: { models: { default: 'builtin' } } }

const screens: Record<string, () => Promise<unknown>> = {
  'the empty state': () => showWindow(() => {}, withDemo),
  'a chat with open tool cards': async () => {
    await showWindow(history)
    await button(/Run ls Failed/).click()
    await button('Thoughts').click()
    await expect.element(transcript().getByText('const')).toBeVisible()
  },
  'a question that waits and a queue': async () => {
    const host = await showWindow(history, { workspaceFiles: { 'notes.md': 'old\n' } })
    await expect.element(transcript()).toBeVisible()
    await say('Write it anew')
    const asked = await host.nextAsked()
    await asked.call('write_file', { path: 'notes.md', content: 'new\n' })
    await asked.end()
    await say('Queued')
    const question = page.getByRole('region', { name: 'A question for you' })
    await expect.element(question.getByText('+new')).toBeVisible()
  },
  'a warning and an error': async () => {
    const host = await showWindow()
    await say('Hello')
    await (await host.nextAsked()).fail(400, 'tools are not supported')
    await (await host.nextAsked()).fail(404, 'model not found')
    await expect.element(transcript().getByText(/^This server takes no tools as data/)).toBeVisible()
    await expect.element(button('Try again')).toBeVisible()
  },
  'what was learned, and what was not': async () => {
    const host = await showWindow(history)
    await say('I use pnpm, and I live in Bergen.')
    const asked = await host.nextAsked()
    const operations = ['Prefers pnpm.', 'Lives in Bergen.'].map(content => ({ action: 'add', content }))
    await asked.call('memory', { target: 'user', operations })
    await asked.end()
    await (await host.nextAsked()).say('Both are saved.')
    await button('Undo: Prefers pnpm.').click()
    await expect.element(button('Redo: Prefers pnpm.')).toBeEnabled()
    await say('I like tea.')
    await (await host.nextAsked()).say('I saved that.')
    await expect.element(button('Save it now')).toBeVisible()
  },
  'what the model sees': async () => {
    const host = await showWindow(history)
    await say('Go on')
    await (await host.nextAsked()).say('Yes.')
    await host.elsewhere['memory.add']({ target: 'user', text: 'Lives in Bern.' })
    await button('Show what the model sees').click()
    await expect.element(button('Apply here now')).toBeVisible()
    await page.getByRole('button', { name: /^Tools, sent beside the text [\d,]+ tokens/ }).click()
    await expect.element(page.getByText(/"name": "terminal"/)).toBeVisible()
  },
  'a search': async () => {
    await showWindow(history)
    await page.getByRole('searchbox').fill('files')
    await expect.element(page.getByText('1 chat found')).toBeVisible()
  },
  'a message that was looked for': async () => {
    await showWindow(host => void history(host))
    await page.getByRole('searchbox').fill('hello')
    await page.getByRole('button', { name: /^You.*Hello/ }).click()
    await expect.element(transcript().getByText('Hello')).toBeVisible()
  },
  'the list of models': async () => {
    await showWindow(() => {}, { config: { models: { files: ['/nowhere/gone.gguf'] } } })
    await button('Model: Served model').first().click()
    await expect.element(button(/^gone/).first()).toBeVisible()
  },
  'adding a server': async () => {
    await showWindow(() => {}, withDemo)
    await button('Add a model').click()
    await page.getByText('Server', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill('nonsense')
  },
  'the settings': async () => {
    await showWindow()
    await button('Settings').click()
  },
  'the shortcuts': async () => {
    await showWindow()
    await button('Help').click()
    await button('Keyboard shortcuts').click()
  },
  'a menu of a chat': async () => {
    await showWindow(history)
    await button('More for “Files”').click()
  },
  'a lost connection': async () => {
    const host = await showWindow()
    await expect.element(button('Model: Served model').first()).toBeVisible()
    await host.disconnect()
    await expect.element(button('Try now')).toBeVisible()
  },
  'a very narrow window': async () => {
    await page.viewport(480, 800)
    await showWindow(history)
    await expect.element(transcript().getByText('const')).toBeVisible()
  },
}

test.for(Object.keys(screens))('%s: no accessibility violations, light and dark', async name => {
  await screens[name]!()
  await expectAccessible()
})

test('the conversation is the only landmark named for it, and toasts are a status region', async () => {
  await showWindow(history)
  await say('Go on')
  showToast('The chat was moved.')
  const toast = page.getByRole('status', { name: 'What just happened' })
  await expect.element(toast).toHaveTextContent('The chat was moved.')
  await expect.element(transcript()).toBeVisible()
  const names = [
    ...document.querySelectorAll('section, [role="region"], main, nav, aside, footer, form, search'),
  ]
    .map(each => each.getAttribute('aria-label') ?? '')
    .filter(name => name !== '')
  expect(names.filter(name => /message|conversation|dialogue|transcript/i.test(name))).toEqual([
    'Conversation',
  ])
  expect(names).toEqual([...new Set(names)])
  await expectAccessible()
})
