import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Proposal } from '../../../../shared/contract/learning.ts'
import { Fault } from '../../../../shared/rpc.ts'
import type { FakeHost } from '../../../test/fake-host.ts'
import { aHistory } from '../../../test/messages.ts'
import { button, composer, openWindow, say, showApp, transcript } from '../../../test/show-app.tsx'

const rows = () => transcript().getByRole('list', { name: 'Found in this chat' })
const headline = 'You use pnpm'
const from = (messageId: number) => ({ messageId, quote: 'pnpm, please' })

/** A chat of some turns, in which reviews found something. */
const aChat = (turns = 2, prepare: (host: FakeHost) => void = () => {}) =>
  showApp(host => {
    const { id } = host.addSession({ id: 'c1', title: 'Tools' }, aHistory(turns))
    prepare(host)
    return id
  })
const found =
  (given: Partial<Proposal> = {}) =>
  (host: FakeHost) =>
    void host.learning.propose({ headline, ...given })
const asked = (host: FakeHost, name: string) => host.asked.filter(each => each.name === name)

/** What is read from the top of the transcript to its end, question, answer and row by row. */
const order = () =>
  [...transcript().element().querySelectorAll('.column')].map(
    row => /Question \d|Answer \d|You use [a-z]+/u.exec(row.textContent)?.[0],
  )

test('what was found stands at the end of the turn of its newest evidence, else of the chat', async () => {
  const host = await aChat(2, found({ evidence: [from(1)] }))
  await expect.poll(order).toEqual(['Question 1', 'Answer 1', 'You use pnpm', 'Question 2', 'Answer 2'])
  host.learning.propose({ headline: 'You use zsh' })
  await expect.poll(() => order().at(-1)).toBe('You use zsh')
  host.learning.propose({ headline: 'You use vim', sessionId: 'another' })
  host.learning.review({ state: 'failed', outcome: 'The model gave no answer.' })
  host.learning.review()
  await expect.poll(() => asked(host, 'learning.ofChat').length).toBeGreaterThanOrEqual(5)
  expect(order()).toHaveLength(6)
  await expect.element(transcript().getByText(/Nothing worth saving|no answer/u)).not.toBeInTheDocument()
})

test('it is kept and undone again right there, and the Activity page is a step away', async () => {
  const host = await aChat(2, found())
  const [{ id }] = host.learning.proposals() as [Proposal]
  await button('Keep: You use pnpm').click()
  await expect.element(rows().getByText('Kept: You use pnpm')).toBeVisible()
  await expect.element(button('Undo: You use pnpm')).toHaveFocus()
  await expect.element(button('Reject: You use pnpm')).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(rows().getByText('Undone: You use pnpm')).toBeVisible()
  expect(host.learning.proposals()[0]!.state).toBe('undone')
  await expect.element(button('View in activity: You use pnpm')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(location.hash).toBe(`#chat=c1&page=activity&item=${id}`)
})

test('what was rejected says so until the window is opened anew', async () => {
  const host = await aChat(2, found())
  await button('Reject: You use pnpm').click()
  await expect.element(rows().getByText('Rejected: You use pnpm')).toBeVisible()
  expect(host.learning.proposals()[0]!.state).toBe('rejected')
  await openWindow(host)
  await expect.element(transcript().getByText('Answer 2')).toBeVisible()
  host.learning.propose({ headline: 'You use zsh' })
  await expect.element(rows().getByText('You use zsh')).toBeVisible()
  await expect.element(rows().getByText('You use pnpm')).not.toBeInTheDocument()
})

test('a sentence can be kept in other words; what is refused stays, with the reason', async () => {
  const host = await aChat(2, found())
  const field = () => rows().getByRole('textbox', { name: 'What is to be kept' })
  await button('Edit: You use pnpm').click()
  await expect.element(field()).toHaveFocus()
  await expect.element(field()).toHaveValue('You use pnpm')
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Keep: You use pnpm')).toHaveFocus()
  await button('Edit: You use pnpm').click()
  await field().fill('You use pnpm for everything')
  host.failNext('learning.keep', new Fault('conflict', 'What this was made for has changed meanwhile.'))
  await userEvent.keyboard('{Enter}')
  await expect.element(rows().getByRole('alert')).toMatchTextContent('has changed meanwhile.')
  await expect.element(field()).toHaveValue('You use pnpm for everything')
  await userEvent.keyboard('{Enter}')
  await expect.element(rows().getByText(/^Kept/u)).toBeVisible()
  await expect.element(rows().getByRole('alert')).not.toBeInTheDocument()
  expect(host.learning.proposals()[0]).toMatchObject({ state: 'kept', after: 'You use pnpm for everything' })
})

test('a text of a skill is edited on its card, and what goes away is not edited at all', async () => {
  const host = await aChat(2, found({ kind: 'skill', op: 'create', after: '---\nname: pnpm\n---' }))
  host.learning.propose({ headline: 'You use npm', op: 'remove', before: 'You use npm', after: null })
  await expect.element(button('Keep: You use npm')).toBeVisible()
  await expect.element(button('Edit: You use npm')).not.toBeInTheDocument()
  await button('Edit: You use pnpm').click()
  expect(location.hash).toBe(`#chat=c1&page=activity&item=${host.learning.proposals()[0]!.id}`)
})

test('a refusal, a changed target and what cannot be undone are said in words', async () => {
  const host = await aChat(2, found())
  host.failNext('learning.keep', new Fault('bad_input', 'There is no room left in About you.'))
  await button('Keep: You use pnpm').click()
  await expect.element(rows().getByRole('alert')).toMatchTextContent('There is no room left in About you.')
  await button('Keep: You use pnpm').click()
  host.learning.leave(['The entry was changed by hand since.'])
  await button('Undo: You use pnpm').click()
  await expect.element(rows().getByRole('alert')).toMatchTextContent('The entry was changed by hand since.')
  host.learning.propose({
    headline: 'You use zsh',
    op: 'edit',
    before: 'You use bash',
    changed: 'You use fish',
  })
  await expect.element(rows().getByText(/has changed since/u)).toBeVisible()
  await expect.element(button('Reject: You use zsh')).toBeVisible()
  await expect.element(button('Keep: You use zsh')).not.toBeInTheDocument()
})

test('what was decided elsewhere is told, and what keeping changed is told once', async () => {
  const host = await aChat(2, host => {
    found({ evidence: [from(3)] })(host)
    host.notebook.add({ text: 'Uses pnpm.', origin: 'agent', sessionId: 'c1', messageId: 3 })
  })
  await expect.element(transcript().getByText('Saved: Uses pnpm.')).toBeVisible()
  const [{ id }] = host.learning.proposals() as [Proposal]
  await host.link.client['learning.keep']({ ids: [id] })
  await expect.element(rows().getByText('Kept: You use pnpm')).toBeVisible()
  await expect.element(transcript().getByText('Saved: Uses pnpm.')).not.toBeInTheDocument()
})

const scroller = () => transcript().element()
const fromEnd = () => scroller().scrollHeight - scroller().scrollTop - scroller().clientHeight
const settled = () => new Promise(resolve => setTimeout(resolve, 300))

test('nothing scrolls and nothing takes the focus because something was found', async () => {
  const host = await aChat(40)
  await expect.element(transcript().getByText('Answer 40')).toBeInViewport()
  await composer().click()
  await settled()
  expect(fromEnd()).toBeLessThan(2)
  const top = () => transcript().getByText('Answer 40').element().getBoundingClientRect().top
  const [place, before] = [scroller().scrollTop, top()]
  host.learning.propose({ headline })
  await expect.element(rows().getByText('You use pnpm')).toBeInTheDocument()
  await settled()
  expect([scroller().scrollTop, top()]).toEqual([place, before])
  expect(fromEnd()).toBeGreaterThan(10)
  await expect.element(composer()).toHaveFocus()
  await button('Jump to latest').click()
  await expect.element(rows().getByText('You use pnpm')).toBeInViewport()
  await say('Go on')
  await host.nextRun()
  await expect.element(transcript().getByText('Go on')).toBeInViewport()
})

test.for([
  ['at the end', 1e6],
  ['in the middle', 1_500],
] as const)('what is read %s stays in its place when something was found further up', async ([, place]) => {
  const host = await aChat(40)
  await expect.element(transcript().getByText('Answer 40')).toBeInViewport()
  scroller().scrollTop = place
  await settled()
  const all = [...scroller().querySelectorAll('.column')]
  const first = all.find(row => row.getBoundingClientRect().top > scroller().getBoundingClientRect().top)!
  const question = Number(/\d+/u.exec(first.textContent)![0])
  const before = first.getBoundingClientRect().top
  host.learning.propose({ headline, evidence: [from(question * 2 - 4)] })
  await expect.element(rows().getByText('You use pnpm')).toBeInTheDocument()
  await settled()
  expect(Math.abs(first.getBoundingClientRect().top - before)).toBeLessThan(2)
})

test('a chat that is opened shows what was found, at its end', async () => {
  await aChat(40, found())
  await expect.element(rows().getByText('You use pnpm')).toBeInViewport({ ratio: 1 })
})

test.for([
  ['light', 1280],
  ['dark', 1280],
  ['light', 420],
  ['dark', 420],
] as const)('nothing stands in the way of anyone, %s, %i wide', async ([theme, width]) => {
  await page.viewport(width, 800)
  await showApp(
    host => {
      const long =
        'You want every file of a project to be formatted with two spaces, whatever the project says of it'
      host.addSession({ id: 'c1' }, aHistory(1))
      host.learning.propose({ headline: long })
      host.learning.propose({ headline: 'You use zsh', op: 'edit', before: 'a', changed: 'b' })
      host.learning.propose({ headline: 'You use vim' })
      host.learning.propose({ headline })
      return 'c1'
    },
    { hello: { settings: { theme, sendWith: 'enter' } } },
  )
  await button('Keep: You use pnpm').click()
  await expect.element(rows().getByText('Kept: You use pnpm')).toBeVisible()
  await button('Edit: You use vim').click()
  await expect.element(rows().getByRole('textbox')).toHaveFocus()
  const keep = button(/^Keep: You want every file/u)
  await expect.element(keep).toBeInViewport({ ratio: 1 })
  await expect.poll(() => document.documentElement.dataset['theme']).toBe(theme)
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
})
