import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { HostClient } from '../../../shared/contract/index.ts'
import { aHistory } from '../../test/messages.ts'
import { button, composer, openWindow, say, startHost } from '../../test/show-window.tsx'

// Missing confinement and an open network are always visible: at every width, on the start page and during an
// answer.

const widths = [320, 420, 1280] as const
const whyNot = 'bubblewrap is missing.'
const whole: Awaited<ReturnType<HostClient['app.confinement']>> = {
  confined: true,
  blocked: false,
  whyNot: '',
  remedy: '',
  newChats: 'ask',
}
const sign = () => button(/^(Not confined|Commands blocked): /)
const open = () => button(/^Network open: /)

/** Not all machines can confine commands, so the test gives the answer of the host. */
async function showWith(
  state: Partial<typeof whole>,
  prepare: Parameters<typeof startHost>[0] = () => {},
  place = '',
) {
  const host = await startHost(prepare, { config: { approvals: { default: state.newChats ?? 'ask' } } })
  host.answer({ 'app.confinement': () => ({ ...whole, ...state }) })
  history.replaceState(null, '', place)
  await openWindow(host)
  await expect.element(composer()).toBeVisible()
  return host
}

/** The words of a sign are in view at every width, whole. */
async function expectSeen(each: ReturnType<typeof button>, words: string) {
  for (const width of widths) {
    await page.viewport(width, 800)
    await expect.element(each.getByText(words)).toBeInViewport({ ratio: 1 })
  }
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(widths.at(-1)!)
}

test('where commands run confined and ask for the network, nothing is said of it', async () => {
  await showWith({})
  await expect.element(button('Permissions: Ask')).toBeVisible()
  await expect.element(sign()).not.toBeInTheDocument()
  await expect.element(open()).not.toBeInTheDocument()
})

test('missing confinement is seen at every width, on the start page and while an answer is written', async () => {
  const host = await showWith({ confined: false, whyNot, remedy: 'apt install bubblewrap' })
  await expectSeen(sign(), 'Not confined')
  await expect.element(sign()).toHaveAccessibleName(`Not confined: ${whyNot}`)
  await sign().click()
  await expect.element(page.getByText(`Commands run with all your rights: ${whyNot}`)).toBeVisible()
  await expect.element(page.getByText('apt install bubblewrap')).toBeVisible()
  await say('Hello')
  const asked = await host.nextAsked()
  await asked.write('It is')
  await expect.element(page.getByText('It is', { exact: true })).toBeVisible()
  await expectSeen(sign(), 'Not confined')
  await asked.end()
})

test('commands that must be confined and cannot be are said to be blocked', async () => {
  await showWith({ confined: false, blocked: true, whyNot, newChats: 'full' })
  await expectSeen(sign(), 'Commands blocked')
  await expect.element(open()).not.toBeInTheDocument()
})

test('with full access the open network is seen at every width, until the lock or another mode closes it', async () => {
  const host = await showWith({ newChats: 'full' })
  await expect.element(button('Permissions: Full access')).toBeVisible()
  await expectSeen(open(), 'Network open')
  await host.elsewhere['network.lock']({ locked: true })
  await expect.element(open()).not.toBeInTheDocument()
  await host.elsewhere['network.lock']({ locked: false })
  await expect.element(open()).toBeVisible()
  await button('Permissions: Full access').click()
  await page.getByRole('menuitemradio', { name: /^Ask/ }).click()
  await expect.element(open()).not.toBeInTheDocument()
})

test('the chat of a sub-agent says it too', async () => {
  await showWith(
    { confined: false, whyNot },
    ({ seed }) => {
      void seed.chat({ id: 'p1', title: 'Garden', messages: aHistory(1) })
      void seed.chat({
        id: 'a1',
        title: 'Reads the notes',
        origin: 'sub_agent',
        parentId: 'p1',
        messages: aHistory(1, 10),
      })
    },
    '#chat=a1',
  )
  await expect.element(page.getByText(/^This sub-agent works for “Garden”/)).toBeVisible()
  await expectSeen(sign(), 'Not confined')
})
