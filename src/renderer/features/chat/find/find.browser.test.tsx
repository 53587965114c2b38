import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Message } from '../../../../shared/contract/chats/messages.ts'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { aHistory, aReply, aResult, aUserMessage } from '../../../test/messages.ts'
import { composer, showWindow, transcript } from '../../../test/show-window.tsx'
import type { PreparedHost } from '../../../test/test-host.ts'

const field = () => page.getByRole('searchbox', { name: 'Find in this chat' })

/** A chat of many turns, with needles at its start, in its middle and at its end. */
function aLongChat({ seed }: PreparedHost) {
  const messages: Message[] = aHistory(400)
  messages[0] = aUserMessage({ id: 1, text: 'A NÄDEL at the begin' })
  messages[401] = aReply({ id: 402, text: 'In the **middle** a nädel, and one more nädel.' })
  messages[799] = aReply({ id: 800, text: 'The last *nädel* here.' })
  void seed.chat({ id: 'c1', title: 'Long', messages })
  return 'c1'
}

async function find(text: string) {
  await userEvent.keyboard('{Control>}f{/Control}')
  await expect.element(field()).toHaveFocus()
  await field().fill(text)
}

/** The text of the shown match. */
const shown = () => [...(CSS.highlights.get('find-at') ?? [])].map(String)
const isInView = () => {
  const [range] = CSS.highlights.get('find-at') ?? []
  const box = (range as Range | undefined)?.getBoundingClientRect()
  const view = transcript().element().getBoundingClientRect()
  return box !== undefined && box.top >= view.top && box.bottom <= view.bottom
}

test('it finds in the whole chat, also what is not loaded, counts, marks and goes round', async () => {
  await showWindow(aLongChat)
  await expect.element(transcript().getByText('The last nädel here.')).toBeVisible()
  await find('nädel')
  await expect.element(page.getByText('4 of 4')).toBeVisible()
  await expect.poll(() => [shown(), isInView()]).toEqual([['nädel'], true])
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('1 of 4')).toBeVisible()
  await expect.poll(() => [shown(), isInView()]).toEqual([['NÄDEL'], true])
  await userEvent.keyboard('{Enter}{Enter}')
  await expect.element(page.getByText('3 of 4')).toBeVisible()
  await expect
    .poll(() => [shown(), isInView(), CSS.highlights.get('find')?.size])
    .toEqual([['nädel'], true, 2])
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expect.element(page.getByText('2 of 4')).toBeVisible()
  await field().fill('the middle a')
  await expect.element(page.getByText('1 of 1')).toBeVisible()
  await field().fill('(.*')
  await expect.element(page.getByText('Not found')).toBeVisible()
})

test('Esc returns to where the reader was, the cross stays at the find', async () => {
  await showWindow(aLongChat)
  await expect.element(transcript().getByText('The last nädel here.')).toBeVisible()
  await composer().click()
  await find('begin')
  await expect.poll(() => [shown(), isInView()]).toEqual([['begin'], true])
  await userEvent.keyboard('{Escape}')
  await expect.element(field()).not.toBeInTheDocument()
  await expect.element(transcript().getByText('The last nädel here.')).toBeInViewport()
  await expect.element(composer()).toHaveFocus()
  await find('begin')
  await expect.poll(() => [shown(), isInView()]).toEqual([['begin'], true])
  await page.getByRole('button', { name: 'Close and stay here' }).click()
  await expect.element(transcript().getByText('A NÄDEL at the begin')).toBeInViewport()
  expect(CSS.highlights.has('find')).toBe(false)
})

test('results of tools are found where that is asked for, and open', async () => {
  const call = { id: 'call-1', name: 'terminal', arguments: { command: 'ls' } }
  await showWindow(({ seed }) => {
    void seed.chat({
      id: 'c1',
      title: 'Files',
      messages: [aUserMessage(), aReply({ text: '', calls: [call] }), aResult({ text: 'needle.txt' })],
    })
    return 'c1'
  })
  await expect.element(transcript()).toBeVisible()
  await find('needle')
  await expect.element(page.getByText('Not found')).toBeVisible()
  await page.getByRole('button', { name: 'Include tool results' }).click()
  await expect.element(page.getByText('1 of 1')).toBeVisible()
  await expect.poll(shown).toEqual(['needle'])
})

test('what is found in a folded step opens the fold and the step, and only that', async () => {
  const read = (id: string) => ({ id, name: 'read_file', arguments: { path: `${id}.md` } })
  await showWindow(({ seed }) => {
    void seed.chat({
      id: 'c1',
      title: 'Files',
      messages: [
        aUserMessage({ id: 1, text: 'Read them' }),
        aReply({ id: 2, text: '', calls: [read('one'), read('two')] }),
        aResult({ id: 3, callId: 'one', name: 'read_file', text: 'one needle' }),
        aResult({ id: 4, callId: 'two', name: 'read_file', text: 'another needle' }),
        aReply({ id: 5, text: 'Both are read.' }),
      ],
    })
    return 'c1'
  })
  const line = page.getByRole('button', { name: /^Read 2 files/ })
  await expect.element(line).toHaveAttribute('aria-expanded', 'false')
  await find('needle')
  await page.getByRole('button', { name: 'Include tool results' }).click()
  await expect.element(page.getByText('1 of 2')).toBeVisible()
  await expect.poll(() => [shown(), isInView()]).toEqual([['needle'], true])
  await expect.element(line).toHaveAttribute('aria-expanded', 'true')
  await expect.element(transcript().getByText('one needle', { exact: true })).toBeVisible()
  await expect.element(transcript().getByText('another needle', { exact: true })).not.toBeInTheDocument()
  await field().click()
  await userEvent.keyboard('{Enter}')
  await expect.element(transcript().getByText('another needle', { exact: true })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(line).toHaveAttribute('aria-expanded', 'false')
})

const places = [
  ['first', 0],
  ['middle', 60],
] as const
test.for(places)(
  'in the %s message, what is found behind a fold is drawn, and a fold outlives scrolling',
  async ([, at]) => {
    const code = Array.from({ length: 300 }, (_, line) => `line ${line}`).join('\n')
    await showWindow(({ seed }) => {
      const messages: Message[] = aHistory(60)
      messages[at] = aUserMessage({ id: at + 1, text: 'Show it' })
      messages[at + 1] = aReply({ id: at + 2, text: `\`\`\`\n${code}\n\`\`\`` })
      void seed.chat({ id: 'c1', title: 'Code', messages })
      return 'c1'
    })
    const drawn = () => document.querySelector('.code-block code')?.textContent.split('\n').length
    await expect.element(transcript()).toBeVisible()
    await find('line 0')
    await expect.poll(() => [shown(), isInView()]).toEqual([['line 0'], true])
    await page.getByRole('button', { name: 'Fold the code' }).click()
    await expect.poll(drawn).toBe(12)
    // It was folded at its end, and the rest stays in view.
    await expect.element(page.getByRole('button', { name: 'Unfold the code' })).toBeInViewport()
    expect(drawn()).toBe(12)
    await field().fill('line 250')
    await expect.poll(() => [shown(), isInView()]).toEqual([['line 250'], true])
    expect(drawn()).toBe(251)
    await userEvent.keyboard('{Escape}')
    await expect
      .poll(() => {
        transcript().element().scrollTop = 1e6
        return drawn()
      })
      .toBe(undefined)
    await find('line 3')
    await expect.element(page.getByRole('button', { name: 'Unfold the code' })).toBeVisible()
  },
)

test('a letter that is everywhere in a megabyte does not draw all of it', async () => {
  await showWindow(({ seed }) => {
    const text = `\`\`\`\n${'one two\n'.repeat(130_000)}\`\`\``
    void seed.chat({ id: 'c1', title: 'Long', messages: [aUserMessage({ id: 1 }), aReply({ id: 2, text })] })
    return 'c1'
  })
  const drawn = () => document.querySelector('.code-block code')?.textContent.length ?? 0
  await expect.poll(drawn).toBeGreaterThan(10_000)
  await find('o')
  await expect.poll(drawn).toBeGreaterThan(150_000)
  expect(drawn()).toBeLessThanOrEqual(200_000)
})

test('the bar and the timeline are accessible in wide and narrow windows', async () => {
  await showWindow(aLongChat)
  // Nothing can be found before the chat is loaded.
  await expect.element(transcript().getByText('The last nädel here.')).toBeVisible()
  await find('nädel')
  await expect.element(page.getByText('4 of 4')).toBeVisible()
  await expectAccessibleAt(1_280, 420)
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('{Alt>}t{/Alt}')
  await expect.element(page.getByRole('option').first()).toBeVisible()
  await expectAccessibleAt(420, 1_280)
})

test('the timeline lists the questions by day and leads to one that is not loaded', async () => {
  await showWindow(aLongChat)
  await expect.element(transcript().getByText('The last nädel here.')).toBeVisible()
  await userEvent.keyboard('{Alt>}t{/Alt}')
  const timeline = page.getByRole('dialog', { name: 'Timeline of this chat' })
  await expect.element(timeline.getByText(/^400 questions/)).toBeVisible()
  await expect
    .element(timeline.getByRole('option', { selected: true }))
    .toMatchTextContent(/^Question (?:39\d|400)/)
  await userEvent.keyboard('question 17')
  await expect
    .element(timeline.getByRole('option').first())
    .toMatchTextContent(/^Question 17\d\d?:|^Question 17/)
  await userEvent.keyboard('{Enter}')
  await expect.element(timeline).not.toBeInTheDocument()
  await expect.element(transcript().getByText('Question 17', { exact: true })).toBeInViewport()
})

const DAY = 86_400_000

test('who comes back after a day is told where they were, and the chat opens at the first unread answer', async () => {
  const host = await showWindow(({ seed }) => {
    const messages = aHistory(60)
    const long = 'Paragraph.\n\n'.repeat(60)
    messages[119] = aReply({ id: 120, text: `The plan is this. ${long}` })
    void seed.chat({ id: 'c1', title: 'Plan', draft: 'And then', messages })
    void seed.seen({ chatId: 'c1', messageId: 118, at: Date.now() - 2 * DAY })
    return 'c1'
  })
  const card = page.getByRole('complementary', { name: 'Where you were' })
  await expect.element(card.getByText('Question 60')).toBeVisible()
  await expect.element(card.getByText(/^The plan is this\./)).toBeVisible()
  await expect.element(card.getByText('a draft')).toBeVisible()
  await expect.element(transcript().getByText(/^The plan is this\./)).toBeInViewport()
  await expectAccessibleAt(420)
  await card.getByRole('button', { name: 'Close this summary' }).click()
  await expect.element(card).not.toBeInTheDocument()
  await expect.poll(async () => (await host.elsewhere['chat.recap']({ sessionId: 'c1' })).unreadId).toBeNull()
})
