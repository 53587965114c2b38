import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { WindowRequest } from '../shared/contract/desktop.ts'
import { Fault } from '../shared/rpc.ts'
import { expectAccessibleAt } from './test/accessible.ts'
import { feed } from './test/feed.ts'
import { button, composer, showWindow } from './test/show-window.tsx'
import type { PreparedHost } from './test/test-host.ts'
import { toastList } from './ui/toast-list.ts'

/** The window of the desktop app. The test provides its dialogs, file manager and requests. */
async function showDesktop(prepare: (host: PreparedHost) => string | void = () => {}) {
  const requests = feed<WindowRequest>()
  const chosen: string[] = []
  const revealed: string[] = []
  const host = await showWindow(
    each => {
      each.answer({
        'desktop.watch': () => requests.listen(),
        'desktop.choose': () => ({ path: chosen.shift() ?? null }),
        'desktop.reveal': ({ path }) => {
          revealed.push(path)
          return {}
        },
      })
      return prepare(each)
    },
    { hello: { hosting: 'desktop' } },
  )
  // A request before the window listens would be lost here; the app keeps it.
  await expect.poll(() => host.asked.some(({ name }) => name === 'desktop.watch')).toBe(true)
  return { ...host, say: requests.say, chosen, revealed }
}

const toasts = () => toastList.get().map(({ text }) => text)
const openFolder = () => page.getByRole('button', { name: /^Working folder:/ }).click()

beforeEach(() => page.viewport(1280, 800))

describe('a request of the desktop app', () => {
  test('with a text fills it into a new chat, beside what is there, and sends nothing', async () => {
    const { say, asked } = await showDesktop()
    await composer().fill('My own words')
    say({ type: 'draft', text: 'From a link' })
    await expect.element(composer()).toHaveValue('My own words\n\nFrom a link')
    expect(asked.filter(({ name }) => name === 'chat.send' || name === 'session.create')).toEqual([])
  })

  test('with a page or a chat shows it', async () => {
    const { say } = await showDesktop(({ seed }) => {
      void seed.chat({ id: 'c1', title: 'Garden' })
    })
    say({ type: 'page', page: 'settings', tab: 'privacy' })
    await expect
      .element(page.getByRole('heading', { name: 'Privacy and network', exact: true }))
      .toBeVisible()
    say({ type: 'chat', id: 'c1' })
    await expect.element(page.getByRole('heading', { name: 'Garden' })).toBeVisible()
    say({ type: 'page', page: 'memory', tab: null })
    await expect.element(page.getByRole('heading', { name: 'Memory', exact: true })).toBeVisible()
  })

  test('with trouble says it', async () => {
    const { say } = await showDesktop()
    say({ type: 'trouble', text: 'The keys Ctrl+Space do not open the quick window.' })
    await expect.poll(toasts).toEqual(['The keys Ctrl+Space do not open the quick window.'])
  })

  test('with a folder starts a chat in it', async () => {
    const { say, workspace, asked } = await showDesktop()
    say({ type: 'folder', folder: workspace })
    await expect.poll(() => asked.find(({ name }) => name === 'session.create')?.input).toEqual({ workspace })
  })
})

describe('a path', () => {
  test('of a chat is chosen in the dialog of the system, and shown in its file manager', async () => {
    const { chosen, revealed, asked, workspace } = await showDesktop()
    chosen.push(workspace)
    await openFolder()
    await button('Show in the file manager: the folder of this chat').click()
    await button('Choose…').click()
    await expect.poll(() => asked.some(({ name }) => name === 'session.create')).toBe(true)
    expect(revealed).toEqual([workspace])
    expect(asked.find(({ name }) => name === 'desktop.choose')?.input).toEqual({
      what: 'folder',
      at: workspace,
    })
  })

  test('that was not chosen after all changes nothing', async () => {
    await showDesktop()
    await openFolder()
    const field = page.getByRole('textbox', { name: 'Working folder of this chat' })
    const before = (field.element() as HTMLInputElement).value
    await button('Choose…').click()
    await expect.element(field).toHaveValue(before)
  })

  test('that the system cannot show is told', async () => {
    const { failNext } = await showDesktop()
    failNext('desktop.reveal', new Fault('not_found', 'There is no such folder on this computer.'))
    await openFolder()
    await button('Show in the file manager: the folder of this chat').click()
    await expect.poll(toasts).toEqual(['There is no such folder on this computer.'])
  })

  test('is typed in a browser, where there is no dialog', async () => {
    await showWindow()
    await openFolder()
    await expect.element(button('Use this folder')).toBeVisible()
    await expect.element(button('Choose…')).not.toBeInTheDocument()
    await expect
      .element(page.getByRole('button', { name: /^Show in the file manager/ }))
      .not.toBeInTheDocument()
  })

  test('can be chosen with the keyboard, without obstacles, wide or narrow', async () => {
    await showDesktop()
    await openFolder()
    await userEvent.tab()
    await expectAccessibleAt(1_280, 420)
  })
})
