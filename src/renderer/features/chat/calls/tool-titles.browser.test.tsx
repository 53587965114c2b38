import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { button, openWindow, say, showWindow, transcript } from '../../../test/show-window.tsx'

/** The arguments for each shipped tool. A tool that is missing here gets none, and its call is refused. */
const given: Readonly<Record<string, Record<string, unknown>>> = {
  terminal: { command: 'echo hello' },
  read_file: { path: 'gone.md' },
  write_file: { path: 'notes.md', content: 'Tea.\n' },
  patch_file: { path: 'notes.md', old_text: 'Tea.', new_text: 'Coffee.' },
  list_files: { path: '.' },
  search_files: { pattern: 'Tea' },
  memory: { action: 'add', target: 'user', content: 'Prefers pnpm.' },
  session_search: { query: 'boats' },
  skills_list: {},
  skill_view: { name: 'haiku' },
  skill_manage: { action: 'delete', name: 'gone' },
}

/** The steps of a turn are one line, or several if a sub-agent is among them. */
async function openFold() {
  for (const line of transcript().element().querySelectorAll('.steps-fold > button[aria-expanded="false"]'))
    (line as HTMLElement).click()
  await expect.poll(() => titles().length).toBeGreaterThan(5)
}

const titles = () =>
  [...transcript().element().querySelectorAll('.tool-card .truncate')].map(each => each.textContent)

test('the card of every shipped tool has the same title while it is used, later, and after a reload', async () => {
  const host = await showWindow(() => {}, { config: { approvals: { default: 'full' } } })
  // Only cards in view are mounted.
  await page.viewport(1280, 2_400)
  await say('Use all of them')
  const asked = await host.nextAsked()
  const names = asked.body.tools!.map(tool => tool.function.name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(given)))
  for (const name of names.toSorted()) await asked.call(name, given[name] ?? {})
  await asked.end()
  await (await host.nextAsked()).say('All were used.')
  await expect.element(transcript().getByText('All were used.')).toBeVisible()
  await openFold()
  const live = titles()
  expect(live.length).toBeGreaterThanOrEqual(names.length - 3)
  expect(live).toEqual(
    // A saved memory is shown as a chip.
    expect.arrayContaining(['Search earlier chats for “boats”']),
  )
  expect(live.filter(title => title.startsWith('Tool: '))).toEqual([])

  // After another turn, the window gets no more events of the first run.
  await say('And now?')
  await (await host.nextAsked()).say('Nothing else.')
  await expect.element(transcript().getByText('Nothing else.')).toBeVisible()
  expect(titles()).toEqual(live)
  await openWindow(host)
  await expect.element(transcript().getByText('Nothing else.')).toBeVisible()
  await openFold()
  await expect.poll(titles).toEqual(live)
})

test('why a command ran says whether it only reads, or can only read because it is confined', async ({
  skip,
}) => {
  const host = await showWindow(() => {}, { config: { approvals: { default: 'reads' } } })
  const { confined, whyNot } = await host.elsewhere['app.confinement']({})
  if (!confined) return skip(whyNot)
  await say('Look around')
  const asked = await host.nextAsked()
  await asked.call('terminal', { command: 'ls' })
  await asked.end()
  const again = await host.nextAsked()
  await again.call('terminal', { command: 'cat <<< hello' })
  await again.end()
  await (await host.nextAsked()).say('Nothing is here.')
  await button(/^Ran 2 commands/).click()
  await button(/^Run ls \d/).click()
  await expect.element(transcript()).toMatchTextContent('Why it ran: a command that only reads')
  await button(/^Run cat .*\d/).click()
  await expect
    .element(transcript())
    .toMatchTextContent('Why it ran: it runs confined, where it can only read')
})
