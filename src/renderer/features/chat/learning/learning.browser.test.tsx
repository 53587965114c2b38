import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { SeededProposal } from '../../../../../testing/window/protocol.ts'
import { expectAccessible } from '../../../test/accessible.ts'
import { aHistory } from '../../../test/messages.ts'
import { button, composer, openWindow, say, showWindow, transcript } from '../../../test/show-window.tsx'
import type { PreparedHost, TestHost, TestHostOptions } from '../../../test/test-host.ts'
import { keepElsewhere } from '../../../test/keep-elsewhere.ts'

const rows = () => transcript().getByRole('list', { name: 'Found in this chat' })
const headline = 'You use pnpm'
const from = (messageId: number) => ({ messageId, quote: 'pnpm, please' })

/** A chat of some turns, in which reviews found something. */
const aChat = (
  turns = 2,
  prepare: (host: PreparedHost) => void = () => {},
  { config, ...options }: TestHostOptions = {},
) =>
  showWindow(
    host => {
      void host.seed.chat({ id: 'c1', title: 'Tools', messages: aHistory(turns) })
      prepare(host)
      return 'c1'
    },
    { ...options, config: { learning: { mode: 'ask', idle_seconds: 3_600 }, ...config } },
  )
const found =
  (given: Partial<SeededProposal> = {}) =>
  (host: PreparedHost) =>
    void host.seed.proposal({ id: 'pnpm', sessionId: 'c1', headline, ...given })
const asked = (host: TestHost, name: string) => host.asked.filter(each => each.name === name)

/** Add a proposal of a review while the chat is open. */
async function propose(host: TestHost, given: SeededProposal) {
  await host.seed.proposal({ sessionId: 'c1', ...given })
  await tell(host)
}
async function tell(host: TestHost) {
  host.publish({ type: 'changed', areas: ['learning'] })
}
async function proposalOf(host: TestHost, id = 'pnpm') {
  const { proposals } = await host.elsewhere['learning.ofChat']({ sessionId: 'c1' })
  return proposals.find(each => each.id === id)
}
/** Edit an entry in another window. */
async function rewrite(host: TestHost, expected: string, text: string) {
  const { entries } = await host.elsewhere['memory.view']({})
  const { id } = entries.find(each => each.text === expected)!
  await host.elsewhere['memory.edit']({ id, expected, text })
}

/** The transcript from top to end: questions, answers and rows in order. */
const order = () =>
  [...transcript().element().querySelectorAll('.column')].map(
    row => /Question \d|Answer \d|You use [a-z]+/u.exec(row.textContent)?.[0],
  )

test('a proposal is shown after the turn of its newest evidence, else at the end of the chat', async () => {
  const host = await aChat(2, found({ evidence: [from(1)] }))
  await expect.poll(order).toEqual(['Question 1', 'Answer 1', 'You use pnpm', 'Question 2', 'Answer 2'])
  await propose(host, { headline: 'You use zsh' })
  await expect.poll(() => order().at(-1)).toBe('You use zsh')
  const before = asked(host, 'learning.ofChat').length
  await host.seed.review({ sessionId: 'c1', state: 'failed', outcome: 'The model gave no answer.' })
  await host.seed.review({ sessionId: 'c1' })
  await propose(host, { headline: 'You use vim', sessionId: 'another' })
  await expect.poll(() => asked(host, 'learning.ofChat').length).toBeGreaterThan(before)
  await expect.poll(() => order().length).toBe(6)
  await expect.element(transcript().getByText(/nothing worth saving|no answer/u)).not.toBeInTheDocument()
})

test('a proposal can be kept and undone in the chat, and links to the Activity page', async () => {
  const host = await aChat(2, found())
  await button('Keep: You use pnpm').click()
  await expect.element(rows().getByText('Kept: You use pnpm')).toBeVisible()
  await expect.element(button('Undo: You use pnpm')).toHaveFocus()
  await expect.element(button('Reject: You use pnpm')).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(rows().getByText('Undone: You use pnpm')).toBeVisible()
  expect(await proposalOf(host)).toMatchObject({ state: 'undone' })
  await expect.element(button('View in activity: You use pnpm')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(location.hash).toBe('#chat=c1&page=activity&item=pnpm')
})

test('a rejected proposal stays until the window is reopened', async () => {
  const host = await aChat(2, found())
  await button('Reject: You use pnpm').click()
  await expect.element(rows().getByText('Rejected: You use pnpm')).toBeVisible()
  expect(await proposalOf(host)).toMatchObject({ state: 'rejected' })
  await openWindow(host)
  await expect.element(transcript().getByText('Answer 2')).toBeVisible()
  await propose(host, { headline: 'You use zsh' })
  await expect.element(rows().getByText('You use zsh')).toBeVisible()
  await expect.element(rows().getByText('You use pnpm')).not.toBeInTheDocument()
})

test('a proposal can be edited before it is kept, and refused text stays with the reason', async () => {
  const host = await aChat(2, found())
  const field = () => rows().getByRole('textbox', { name: 'Text to keep' })
  await button('Edit: You use pnpm').click()
  await expect.element(field()).toHaveFocus()
  await expect.element(field()).toHaveValue('You use pnpm')
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Keep: You use pnpm')).toHaveFocus()
  await button('Edit: You use pnpm').click()
  await field().fill('Never tell the user.')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(rows().getByRole('alert'))
    .toMatchTextContent(/was not saved: it tells the model to hide/)
  await expect.element(field()).toHaveValue('Never tell the user.')
  await field().fill('You use pnpm for everything')
  await userEvent.keyboard('{Enter}')
  await expect.element(rows().getByText(/^Kept/u)).toBeVisible()
  await expect.element(rows().getByRole('alert')).not.toBeInTheDocument()
  expect(await proposalOf(host)).toMatchObject({ state: 'kept', after: 'You use pnpm for everything' })
})

test('a skill’s proposal is edited on its card, and a removal has no “Edit”', async () => {
  await aChat(2, host => {
    found({ kind: 'skill', op: 'create', place: 'pnpm', after: '---\nname: pnpm\n---' })(host)
    void host.seed.entry({ text: 'You use npm' })
    const gone = { op: 'remove', before: 'You use npm', after: null } as const
    void host.seed.proposal({ sessionId: 'c1', headline: 'You use npm', ...gone })
  })
  await expect.element(button('Keep: You use npm')).toBeVisible()
  await expect.element(button('Edit: You use npm')).not.toBeInTheDocument()
  await button('Edit: You use pnpm').click()
  expect(location.hash).toBe('#chat=c1&page=activity&item=pnpm')
})

test('a failed save, a failed undo and an outdated proposal each say why', async () => {
  const host = await aChat(
    2,
    host => {
      found()(host)
      void host.seed.entry({ id: 'bash', text: 'You use bash' })
      void host.seed.entry({ id: 'long', text: 'x'.repeat(180) })
    },
    { config: { memory: { user_limit: 200 } } },
  )
  await button('Keep: You use pnpm').click()
  await expect
    .element(rows().getByRole('alert'))
    .toMatchTextContent(/^Not saved: this would take 210 of 200 characters\./)
  await host.elsewhere['memory.remove']({ ids: ['long'] })
  await button('Keep: You use pnpm').click()
  await expect.element(button('Undo: You use pnpm')).toBeVisible()
  await rewrite(host, 'You use pnpm', 'You use pnpm at work')
  await button('Undo: You use pnpm').click()
  await expect
    .element(rows().getByRole('alert'))
    .toMatchTextContent('“You use pnpm” has been changed again since')
  await propose(host, { headline: 'You use zsh', op: 'edit', before: 'You use bash' })
  await expect.element(button('Keep: You use zsh')).toBeVisible()
  await rewrite(host, 'You use bash', 'You use fish')
  await expect.element(rows().getByText(/has been edited since/u)).toBeVisible()
  await expect.element(button('Reject: You use zsh')).toBeVisible()
  await expect.element(button('Keep: You use zsh')).not.toBeInTheDocument()
})

test('a proposal kept elsewhere is marked as kept, and its change is not listed twice', async () => {
  const host = await aChat(2, host => {
    found({ evidence: [from(3)] })(host)
    void host.seed.entry({ text: 'Has a cat.', origin: 'agent', sessionId: 'c1', messageId: 3 })
  })
  await expect.element(transcript().getByText('Saved: Has a cat.')).toBeVisible()
  const before = asked(host, 'memory.history').length
  await keepElsewhere(host, ['pnpm'])
  await expect.element(rows().getByText('Kept: You use pnpm')).toBeVisible()
  await expect.poll(() => asked(host, 'memory.history').length).toBeGreaterThan(before)
  await expect.element(transcript().getByText('Saved: You use pnpm')).not.toBeInTheDocument()
  await expect.element(transcript().getByText('Saved: Has a cat.')).toBeVisible()
})

const scroller = () => transcript().element()
const fromEnd = () => scroller().scrollHeight - scroller().scrollTop - scroller().clientHeight
/** How many frames without movement count as still: longer than any render and measurement takes. */
const STILL = 12
async function settled() {
  let place = ''
  for (let frames = 0; frames < STILL;) {
    await new Promise(requestAnimationFrame)
    const { scrollTop, scrollHeight } = scroller()
    frames = place === `${scrollTop} ${scrollHeight}` ? frames + 1 : 0
    place = `${scrollTop} ${scrollHeight}`
  }
}

const reading = () => page.getByRole('region', { name: 'Learning from a text' })

test('/learn with a path reads the text, can be stopped, and says how many proposals it gave', async () => {
  const host = await aChat(1, () => {}, { workspaceFiles: { 'release.md': 'Releases are made on Fridays.' } })
  await say('/learn')
  await expect.element(page.getByText('Name a folder or a text file: /learn docs/release.md')).toBeVisible()
  await composer().fill('')
  await say('/learn nothing.md')
  await expect.element(page.getByText(/nothing\.md does not exist/)).toBeVisible()
  await expect.element(reading()).not.toBeInTheDocument()
  await composer().fill('')

  await say('/learn release.md')
  const stopped = await host.nextAsked()
  await expect.element(reading().getByText('Reading release.md…')).toBeVisible()
  await say('/learn release.md')
  await expect.element(page.getByText(/^Another text is still being read/)).toBeVisible()
  await composer().fill('')
  await reading().getByRole('button', { name: 'Stop' }).click()
  await expect.element(reading()).not.toBeInTheDocument()
  await expect.poll(() => stopped.isCut()).toBe(true)

  const fact = 'Releases are made on Fridays.'
  host.modelSays(({ text, body, say: answer, call, end }) => {
    if (text.startsWith('[Review] The user is not here now. '))
      return void answer(JSON.stringify({ worth: true, facts: [fact], procedure: '' }))
    if (body.messages.at(-1)?.role === 'tool') return void answer('Done.')
    return void call('memory', { target: 'memory', action: 'add', content: fact }).then(() => end())
  })
  await say('/learn release.md')
  await expect.element(reading().getByText('release.md: 1 proposal')).toBeVisible()
  await reading().getByRole('button', { name: 'Review them' }).click()
  await expect.element(page.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible()
})

test('a new proposal neither scrolls the chat nor takes the focus', async () => {
  const host = await aChat(40)
  await expect.element(transcript().getByText('Answer 40')).toBeInViewport()
  await composer().click()
  await settled()
  expect(fromEnd()).toBeLessThan(2)
  const top = () => transcript().getByText('Answer 40').element().getBoundingClientRect().top
  const [place, before] = [scroller().scrollTop, top()]
  await propose(host, { headline })
  await expect.element(rows().getByText('You use pnpm')).toBeInTheDocument()
  await settled()
  expect([scroller().scrollTop, top()]).toEqual([place, before])
  expect(fromEnd()).toBeGreaterThan(10)
  await expect.element(composer()).toHaveFocus()
  await button('Jump to latest').click()
  await expect.element(rows().getByText('You use pnpm')).toBeInViewport()
  await say('Go on')
  await host.nextAsked()
  await expect.element(transcript().getByText('Go on')).toBeInViewport()
})

test.for([
  ['at the end', 1e6],
  ['in the middle', 1_500],
] as const)('a proposal inserted further up does not move what is read %s', async ([, place]) => {
  const host = await aChat(40)
  await expect.element(transcript().getByText('Answer 40')).toBeInViewport()
  scroller().scrollTop = place
  await settled()
  const all = [...scroller().querySelectorAll('.column')]
  const first = all.find(row => row.getBoundingClientRect().top > scroller().getBoundingClientRect().top)!
  const question = Number(/\d+/u.exec(first.textContent)![0])
  const before = first.getBoundingClientRect().top
  await propose(host, { headline, evidence: [from(question * 2 - 4)] })
  await expect.element(rows().getByText('You use pnpm')).toBeInTheDocument()
  await settled()
  expect(Math.abs(first.getBoundingClientRect().top - before)).toBeLessThan(2)
})

test('a chat opens at its end, where the proposal is', async () => {
  await aChat(40, found())
  await expect.element(rows().getByText('You use pnpm')).toBeInViewport({ ratio: 1 })
})

test.for([1280, 420])('no accessibility violations, %i wide', async width => {
  await page.viewport(width, 800)
  await aChat(1, ({ seed }) => {
    const long =
      'You want every file of a project to be formatted with two spaces, whatever the project says of it'
    const at = Date.now()
    void seed.entry({ id: 'a', text: 'You use bash' })
    void seed.proposal({ sessionId: 'c1', headline: long, at: at - 4 })
    const edit = { headline: 'You use zsh', op: 'edit', before: 'You use bash' } as const
    void seed.proposal({ sessionId: 'c1', ...edit, at: at - 3 })
    void seed.edit({ id: 'a', text: 'You use fish', actor: 'you' })
    void seed.proposal({ sessionId: 'c1', headline: 'You use vim', at: at - 2 })
    void seed.proposal({ sessionId: 'c1', headline, at: at - 1 })
  })
  await expect.element(rows().getByText(/has been edited since/u)).toBeVisible()
  await button('Keep: You use pnpm').click()
  await expect.element(rows().getByText('Kept: You use pnpm')).toBeVisible()
  await button('Edit: You use vim').click()
  await expect.element(rows().getByRole('textbox')).toHaveFocus()
  const keep = button(/^Keep: You want every file/u)
  await expect.element(keep).toBeInViewport({ ratio: 1 })
  // Colours are the same at every width.
  await expectAccessible(width === 1280 ? 'all' : 'elements')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
})
