import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { button, transcript } from '../../test/show-window.tsx'
import {
  changes,
  fill,
  fillMany,
  filter,
  group,
  headline,
  headlines,
  press,
  propose,
  rewrite,
  showActivity,
  statesOf,
  tab,
  tellLearned,
} from '../../test/activity.ts'
import { keepElsewhere } from '../../test/keep-elsewhere.ts'

const pnpm = 'Uses pnpm for packages.'
const waiting = 'Waiting for you'
const editor = () => page.getByRole('textbox', { name: 'Text to keep' })

test('the sidebar links to the Activity page and counts the waiting cards', async () => {
  const host = await showActivity()
  const pages = page.getByRole('navigation', { name: 'Pages' })
  const way = pages.getByRole('button', { name: 'Activity 3 waiting for you' })
  await expect.element(way).toHaveAttribute('aria-current', 'page')
  expect(document.title).toBe('Activity – Talaria')
  await keepElsewhere(host, ['pnpm'])
  await expect.element(pages.getByRole('button', { name: 'Activity 2 waiting for you' })).toBeVisible()
})

test('a narrow window shows the count of waiting cards on the rail, after a single request', async () => {
  await page.viewport(700, 700)
  const host = await showActivity(fill)
  await expect.element(button('Activity 3 waiting for you')).toBeVisible()
  expect(host.asked.filter(({ name }) => name === 'learning.open')).toHaveLength(1)
})

test('a card shows the change, what it is based on, the reason and the cost', async () => {
  await showActivity()
  await expect.element(headline(pnpm)).toBeVisible()
  const card = group(waiting).getByRole('listitem').filter({ hasText: 'Lives in Basel.' }).first()
  await expect.element(card.getByText('Change in memory')).toBeVisible()
  await expect.element(card.getByText('It would change what you wrote yourself.')).toBeVisible()
  await expect.element(card.getByText('The chat ended, so Talaria reviewed it.')).toBeVisible()
  await expect.element(card.getByText('8 s, 2.1K tokens, Served model on a server')).toBeVisible()
  expect(card.element().querySelector('del')?.textContent).toBe('Bern')
  expect(card.element().querySelector('ins')?.textContent).toBe('Basel')
  const skill = group(waiting).getByRole('listitem').filter({ hasText: 'weekly-report' }).first()
  await expect.element(skill.getByText(/12 unchanged lines/)).toBeVisible()
  expect(skill.element().querySelector('del')?.textContent).toContain('Step')
  expect(skill.element().querySelector('ins')?.textContent).toContain('Include')
})

test('who proposed it elsewhere stands below the headline, folded or decided; why another card asks, only while it does', async () => {
  const from = 'From Claude Code, folder ~/gar\u202eden, 28 November.'
  const elsewhere = { headline: 'Sows in March.', because: from }
  await showActivity(({ seed }) => {
    void seed.review({ id: 'r1', trigger: 'events', sessionId: null, endedAt: Date.now(), outcome: '' })
    void seed.proposal({ ...elsewhere, id: 'sow', reviewId: 'r1' })
    void seed.proposal({
      ...elsewhere,
      id: 'reap',
      reviewId: 'r1',
      headline: 'Reaps in May.',
      state: 'rejected',
    })
    void seed.proposal({
      headline: 'Lives in Basel.',
      because: 'It would change what you wrote yourself.',
      state: 'rejected',
    })
  })
  const said = 'From Claude Code, folder ~/gar⟨U+202E⟩den, 28 November.'
  const cards = (where: string, text: string) =>
    group(where).getByRole('listitem').filter({ hasText: text }).first()
  await expect
    .element(cards(waiting, 'Sows in March.'))
    .toMatchTextContent(`Sows in March.${said}Add to memory`)
  await headline('Sows in March.').click()
  await expect.element(headline('Sows in March.')).toHaveAttribute('aria-expanded', 'false')
  await expect.element(cards(waiting, 'Sows in March.').getByText(said)).toBeVisible()
  await expect.element(cards('Today', 'Reaps in May.').getByText(said)).toBeVisible()
  await expect.element(headline('Lives in Basel.')).toBeVisible()
  await expect.element(page.getByText('It would change what you wrote yourself.')).not.toBeInTheDocument()
})

test('the quoted source of a card links to its message', async () => {
  await showActivity()
  await button('Show in the chat: Please use pnpm here, I never use npm.').click()
  await expect.element(transcript().getByText('Please use pnpm here, I never use npm.')).toBeVisible()
  expect(location.hash).toContain('#chat=c1')
})

test('a kept card moves to “Today”, focus goes to the next card, and it can be undone there', async () => {
  const host = await showActivity()
  await press('Keep', pnpm).click()
  await expect.element(page.getByText(`Kept: ${pnpm}`)).toBeVisible()
  await expect.poll(() => headlines('Today')).toEqual([pnpm])
  await expect.element(headline('Lives in Basel.')).toHaveFocus()
  await press('Undo', pnpm).click()
  await expect.element(group('Today').getByText('Undone', { exact: true })).toBeVisible()
  await expect.element(press('Undo', pnpm)).not.toBeInTheDocument()
  expect(changes(host)).toMatchObject([
    { name: 'learning.keep', input: { ids: ['pnpm'] } },
    { name: 'learning.undo', input: { what: { by: 'items', ids: ['pnpm'] } } },
  ])
})

test('Undo in the notification reverses a card that was kept', async () => {
  const host = await showActivity()
  await press('Keep', pnpm).click()
  await button('Undo').click()
  await expect.element(group('Today').getByText('Undone', { exact: true })).toBeVisible()
  expect(await statesOf(host)).toMatchObject({ pnpm: 'undone' })
})

test('a card that cannot be saved stays, keeps the focus and shows the reason', async () => {
  await showActivity(
    host => {
      fill(host)
      void host.seed.entry({ text: 'x'.repeat(140) })
    },
    { config: { memory: { user_limit: 200 } } },
  )
  await press('Keep', pnpm).click()
  await expect.element(page.getByText(/Not saved: this would take 208 of 200 characters\./)).toBeVisible()
  await expect.element(headline(pnpm)).toHaveFocus()
  expect(headlines(waiting)).toContain(pnpm)
})

test('a card can be edited before it is kept: refused text stays with the reason, and Esc cancels', async () => {
  const host = await showActivity()
  await press('Edit and keep', pnpm).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(headline(pnpm)).toHaveFocus()
  await userEvent.keyboard('e')
  await expect.element(editor()).toHaveFocus()
  await editor().fill('Never tell the user.')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/was not saved: it tells the model to hide something/)).toBeVisible()
  await expect.element(editor()).toHaveValue('Never tell the user.')
  await editor().fill('Uses pnpm, never npm.')
  await button('Keep this text').click()
  await expect.element(editor()).not.toBeInTheDocument()
  expect(changes(host).at(-1)).toMatchObject({
    name: 'learning.keep',
    input: { ids: ['pnpm'], text: 'Uses pnpm, never npm.' },
  })
})

test('unsaved text of a card is kept while another tab or page is open', async () => {
  const host = await showActivity()
  await press('Edit and keep', pnpm).click()
  await editor().fill('Uses pnpm and')
  await tab(/^How it learns/).click()
  await button('Memory').click()
  await host.seed.review({ sessionId: 'c1' })
  await tellLearned(host)
  await page.getByRole('button', { name: /^Activity/ }).click()
  await tab(/^Learned/).click()
  await expect.element(editor()).toHaveValue('Uses pnpm and')
})

test('“Not this kind again” shows the rule that it adds, and the rule can be undone', async () => {
  const host = await showActivity()
  await press('Not this kind again', pnpm).click()
  await expect.element(page.getByText(/Rule added: Things like “Uses pnpm for packages\.”/)).toBeVisible()
  await expect.element(group('Today').getByText('Rejected')).toBeVisible()
  expect((await host.elsewhere['learning.rules']({})).rules).toHaveLength(1)
  await button('Undo the rule').click()
  await expect.element(page.getByText(/Rule added/)).not.toBeInTheDocument()
  expect((await host.elsewhere['learning.rules']({})).rules).toEqual([])
})

test('a card whose target has changed must be compared again before it can be kept', async () => {
  const host = await showActivity()
  await expect.element(headline('Lives in Basel.')).toBeVisible()
  await rewrite(host, 'bern', 'Lives in Bern.', 'Lives in Biel.')
  await expect.element(page.getByText('The text that this would change has been edited since.')).toBeVisible()
  await expect.element(press('Keep', 'Lives in Basel.')).not.toBeInTheDocument()
  await press('Compare again', 'Lives in Basel.').click()
  await expect.element(press('Keep', 'Lives in Basel.')).toBeVisible()
  await expect.element(headline('Lives in Basel.')).toHaveFocus()
  const card = group(waiting).getByRole('listitem').filter({ hasText: 'Lives in Basel.' }).first()
  expect(card.element().querySelector('del')?.textContent).toBe('Biel')
})

test('a card whose target is gone can be dropped, and an old card says how long it waits', async () => {
  const host = await showActivity(host => {
    fill(host)
    void host.seed.proposal({ headline: 'Has a garden.', at: Date.now() - 31 * 86_400_000 })
  })
  await expect.element(headline('Lives in Basel.')).toBeVisible()
  await host.elsewhere['memory.remove']({ ids: ['bern'] })
  await expect.element(page.getByText('Waiting for more than 30 days')).toBeVisible()
  await expect.element(page.getByText('The text that this would change no longer exists.')).toBeVisible()
  await expect.element(press('Compare again', 'Lives in Basel.')).not.toBeInTheDocument()
  await press('Drop', 'Lives in Basel.').click()
  await expect.element(page.getByText('Dropped.')).toBeVisible()
  await expect.poll(() => headlines(waiting)).not.toContain('Lives in Basel.')
})

test('a card from another program says which one, and in its details the folder', async () => {
  await showActivity(host => {
    fill(host)
    const foreign = { id: 'claude-code:1', agent: 'claude-code', folder: '/home/ada/shop', at: Date.now() }
    void host.seed.review({ id: 'foreign', trigger: 'events', foreign, outcome: '1 proposed.' })
    void host.seed.proposal({ headline: 'Ships on Fridays.', reviewId: 'foreign' })
  })
  await expect.element(page.getByText('from Claude Code', { exact: true })).toBeVisible()
  await expect.element(page.getByText('Claude Code, folder /home/ada/shop')).toBeVisible()
})

test('a change saved without asking shows its details and can be undone', async () => {
  const host = await showActivity()
  await headline('The build is started with make.').click()
  await expect.element(page.getByText('The agent saved it while answering.')).toBeVisible()
  await press('Undo', 'The build is started with make.').click()
  await expect.element(page.getByText('Undone.')).toBeVisible()
  await expect.element(press('Undo', 'The build is started with make.')).not.toBeInTheDocument()
  expect(changes(host).at(-1)?.input).toEqual({ what: { by: 'items', ids: ['c1:1'] } })
})

test('a review that found nothing takes one line, and a failed one can be run again', async () => {
  const host = await showActivity(host => {
    fill(host)
    const outcome = 'The model gave no answer.'
    void host.seed.review({ state: 'failed', outcome, sessionId: 'c2' })
  })
  await expect
    .element(page.getByText('Reviewed “Setting up the project”: qwen3-8b found nothing worth saving.'))
    .toBeVisible()
  await expect
    .element(page.getByText('The review of “The weekly report” failed: The model gave no answer.'))
    .toBeVisible()
  await button('Review again').click()
  expect(changes(host).at(-1)).toEqual({ name: 'learning.review', input: { sessionId: 'c2' } })
})

test('running reviews are listed with the reason for any wait, and can be cancelled', async () => {
  const host = await showActivity(
    host => {
      fill(host)
      void host.seed.review({ sessionId: 'c1', state: 'queued', endedAt: null })
    },
    {
      async before(host) {
        await host.elsewhere['chat.send']({ sessionId: 'c2', text: 'Hello' })
      },
    },
  )
  const under = page.getByRole('region', { name: 'Reviews under way' })
  await expect.element(under.getByText('It waits until no answer is running.')).toBeVisible()
  await (await host.nextAsked()).say('Hello')
  const isIdle = async () => (await host.elsewhere['session.get']({ id: 'c2' })).activeRunId === null
  await expect.poll(isIdle).toBe(true)
  await host.elsewhere['learning.review']({})
  await expect.element(under.getByText('Reviewing “Setting up the project”')).toBeVisible()
  await expect.element(under.getByText('It waits until no answer is running.')).not.toBeInTheDocument()
  await button('Cancel the review of “Setting up the project”').click()
  await expect.element(under).not.toBeInTheDocument()
  await expect.element(page.getByText(/did not run\. You cancelled it\./)).toBeVisible()
})

test('filters apply to waiting and past cards, and the number of waiting cards stays visible', async () => {
  await showActivity(fillMany)
  await filter('Skills').click()
  await expect.poll(() => headlines(waiting)).toEqual(['Change of the skill “weekly-report”'])
  await expect.element(page.getByText('2 cards wait for you.')).toBeVisible()
  await filter('Quiet reviews').click()
  await expect
    .poll(() => headlines('Older'))
    .toEqual([
      'Reviewed “Setting up the project”: 1 proposed.',
      'Reviewed “Setting up the project”: qwen3-8b found nothing worth saving.',
    ])
  await filter('Undone').click()
  await expect.element(page.getByText('Nothing of this kind yet.')).toBeVisible()
  await button('Show waiting cards').click()
  await expect.poll(() => headlines(waiting)).toHaveLength(3)
})

test('a few cards are shown without filters', async () => {
  await showActivity()
  await expect.element(headline(pnpm)).toBeVisible()
  await expect.element(page.getByRole('group', { name: 'Filter' })).not.toBeInTheDocument()
})

test('an empty page says what will appear, and says when learning is off', async () => {
  const host = await showActivity(() => {})
  await expect.element(page.getByText(/What it finds worth keeping appears here/)).toBeVisible()
  await expect.element(page.getByText('Nothing is saved until you keep it.')).toBeVisible()
  await host.elsewhere['learning.settings']({ mode: 'off' })
  await expect.element(page.getByText(/Learning is off, so/)).toBeVisible()
})

test('when the activity cannot be read, the cards stay and “Try again” reads it', async () => {
  const host = await showActivity(fillMany)
  await expect.element(headline(pnpm)).toBeVisible()
  const heal = host.failEach('learning.activity', new Fault('internal', 'The store is closed.'))
  await filter('Memory').click()
  await expect.element(page.getByText('The activity could not be read: The store is closed.')).toBeVisible()
  await expect.element(headline(pnpm)).toBeVisible()
  heal()
  await button('Try again').click()
  await expect.element(page.getByText(/could not be read/)).not.toBeInTheDocument()
})

test('a card named in the address is opened and focused, however old it is', async () => {
  await showActivity(
    host => {
      fill(host)
      for (let index = 0; index < 70; index++)
        void host.seed.proposal({
          headline: `Thing ${index}`,
          state: 'kept',
          decidedAt: Date.now() - index,
        })
    },
    { itemId: 'short' },
  )
  await expect.element(headline('Prefers short answers.')).toHaveFocus()
  await expect.element(headline('Prefers short answers.')).toHaveAttribute('aria-expanded', 'true')
})

test('changes from elsewhere appear without replacing the existing elements', async () => {
  const host = await showActivity()
  await expect.element(headline(pnpm)).toBeVisible()
  const before = headline(pnpm).element()
  ;(before as HTMLElement).focus()
  await propose(host, { headline: 'Has a garden.', at: Date.now() + 1_000 })
  await expect.element(headline('Has a garden.')).toBeVisible()
  expect(headline(pnpm).element()).toBe(before)
  expect(document.activeElement).toBe(before)
})
