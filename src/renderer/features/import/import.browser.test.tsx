import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { goTo } from '../../route.ts'
import { expectAccessible } from '../../test/accessible.ts'
import { button, showWindow } from '../../test/show-window.tsx'
import type { PreparedHost, TestHost, TestHostOptions } from '../../test/test-host.ts'

const field = () => page.getByRole('textbox', { name: 'File or folder' })
const dialog = () => page.getByRole('dialog', { name: 'Import chats and memories' })
const heading = (name: string) => dialog().getByRole('heading', { name, exact: true })
const withMemories = () => page.getByRole('checkbox', { name: 'Also import the memories' })
const counts = () =>
  dialog()
    .getByRole('definition')
    .elements()
    .map(each => each.textContent.trim())
const asked = (host: TestHost, name: string) =>
  host.asked.filter(question => question.name === name).map(({ input }) => input)

/** Enough chats for three progress events. */
const sixty = ['A boat for two', 'סירה', ...Array.from({ length: 58 }, (_, at) => `Chat ${at + 3}`)]
const facts = ['Likes tea.', 'Has a boat.', 'Lives in Bern.', 'Speaks Romansh.', 'Uses pnpm.']
const anExport = (host: PreparedHost) => void host.seed.chatGpt({ folder: 'export', chats: sixty })

/** The home of another agent: chats with a picture and a tool call, and notes. */
function aHome({ seed }: PreparedHost, folder = 'hermes', titles = sixty) {
  const picture = '\0json:[{"type":"text","text":"Look"},{"type":"image_url"}]'
  void seed.hermes({
    folder,
    user: facts,
    chats: titles,
    more: [
      { session: titles.at(-1)!, role: 'user', content: picture },
      { session: titles.at(-1)!, role: 'tool', content: 'notes.md' },
    ],
  })
}

const open = () => button('Import chats and memories…').click()

/** Draw the window and open the dialog. */
async function showImport(
  prepare: (host: PreparedHost) => void = anExport,
  options?: TestHostOptions,
): Promise<TestHost> {
  const host = await showWindow(prepare, options)
  goTo({ page: 'settings', tab: 'data' })
  await open()
  return host
}

async function look(host: TestHost, folder = 'export') {
  await field().fill(`${host.workspace}/${folder}`)
  await userEvent.keyboard('{Enter}')
}

/** Import something in another window, all of it. */
async function importElsewhere(host: TestHost, folder: string) {
  const { id } = await host.elsewhere['import.preview']({ path: `${host.workspace}/${folder}` })
  for await (const event of host.elsewhere['import.run']({ id, memories: false })) void event
}

/** Imports whose events the test releases one by one. */
function slowly({ link: { client } }: TestHost) {
  const run = client['import.run']
  const steps: PromiseWithResolvers<void>[] = []
  const at = (index: number) => (steps[index] ??= Promise.withResolvers())
  let heard = 0
  let taken = 0
  client['import.run'] = async function* (input, options) {
    for await (const event of run(input, options)) {
      await at(heard++).promise
      if (!options?.signal?.aborted) yield event
    }
  }
  return {
    /** How many events the host has sent. */
    heard: () => heard,
    step(count: number) {
      while (count-- > 0) at(taken++).resolve()
    },
    breakOff(fault: Fault) {
      const { promise, reject } = at(taken++)
      // The event that the fault replaces may arrive later; until then nothing handles the rejection.
      promise.catch(() => {})
      reject(fault)
    },
  }
}

test('an export is previewed and imported by keyboard, and the report lists what was left out', async () => {
  const host = await showWindow(host => {
    aHome(host, 'earlier', sixty.slice(0, 4))
    aHome(host)
    void host.seed.entry({ text: 'Likes tea.' })
  })
  await button('Settings').click()
  await button('Data').click()
  await open()
  await importElsewhere(host, 'earlier')
  const path = `${host.workspace}/hermes`
  await expect.element(field()).toHaveFocus()
  await expect.element(dialog().getByRole('button', { name: 'Look inside' })).toBeDisabled()
  await field().fill(` ${path} `)
  await userEvent.keyboard('{Enter}')
  await expect.element(heading('From Hermes')).toHaveFocus()
  expect(asked(host, 'import.preview')).toEqual([{ path }])
  await expect.element(dialog().getByText(path)).toBeVisible()
  expect(counts()).toEqual(['60 (4 already here)', '121', '5'])
  const titles = page.getByRole('list', { name: 'Among the chats' }).getByRole('listitem')
  expect(titles.elements().map(each => each.textContent)).toEqual([
    'A boat for two',
    'סירה',
    'Chat 3',
    'Chat 4',
    'Chat 5',
    'Chat 6',
    'and 54 others',
  ])
  await expect
    .element(page.getByRole('list', { name: 'Left out' }))
    .toHaveTextContent(
      '1 attachment: only text is imported1 message: it is a tool call or a thought, not an answer',
    )
  expect(asked(host, 'import.run')).toEqual([])

  await userEvent.tab()
  await expect.element(page.getByRole('group', { name: 'Left out' })).toHaveFocus()
  await userEvent.tab()
  await expect.element(withMemories()).toHaveFocus()
  await userEvent.tab()
  await userEvent.tab()
  await expect.element(button('Import')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(heading('Imported')).toHaveFocus()
  expect(asked(host, 'import.run')).toMatchObject([{ memories: true }])
  expect(counts()).toEqual(['56', '113', '4'])
  await expect.element(dialog().getByText('1 memory: it is already in memory')).toBeVisible()
  await dialog().getByText('Close', { exact: true }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await open()
  await expect.element(field()).toHaveValue('')
})

test('memories can be left out, and an unreadable file is named', async () => {
  const host = await showImport(({ seed }) => {
    void seed.hermes({ folder: 'hermes', user: facts, chats: sixty.slice(0, 2) })
    void seed.hermes({ folder: 'damaged', user: facts })
    void seed.workspaceFiles({ 'damaged/state.db': 'no database' })
  })
  await look(host, 'damaged')
  await expect
    .element(dialog().getByText('state.db: it is damaged, so some of it could not be read'))
    .toBeVisible()
  await button('Choose another').click()
  await look(host, 'hermes')
  await withMemories().click()
  await button('Import').click()
  await expect.element(heading('Imported')).toBeVisible()
  expect(asked(host, 'import.run')).toMatchObject([{ memories: false }])
  expect(counts()).toEqual(['2', '4', '0'])
  expect((await host.elsewhere['memory.view']({})).entries).toEqual([])
})

test('the skills, settings, SOUL.md and keys of a Hermes home come as far as they are ticked, and a second time nothing is new', async () => {
  const skill =
    '---\nname: tidy-csv\ndescription: Tidy a CSV file. Use it for messy tables.\n---\n\n# Tidy\n\nSort the rows.\n'
  const host = await showImport(({ seed }) => {
    void seed.hermes({ folder: 'hermes', user: facts.slice(0, 1), chats: ['A'] })
    void seed.workspaceFiles({
      'hermes/SOUL.md': 'You are Ada, and you like short answers.\n',
      'hermes/config.yaml': 'agent:\n  max_turns: 42\n',
      'hermes/.env': 'OPENROUTER_API_KEY=sk-or-0123456789abcdef-wxyz\n',
      'hermes/skills/data/tidy-csv/SKILL.md': skill,
    })
  })
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
  await look(host, 'hermes')
  await expect.element(heading('From Hermes')).toBeVisible()
  await expect.element(box('Also import 1 skill')).toBeChecked()
  await expect.element(box('Also import SOUL.md')).toBeChecked()
  await expect
    .element(box('Also import 1 setting'))
    .toHaveAccessibleDescription('agent.max_iterations = 42. A copy of yours is kept in the backups folder.')
  await expect.element(box('Also import 1 key')).not.toBeChecked()
  await expect.element(box('Also import 1 key')).toHaveAccessibleDescription('OPENROUTER_API_KEY sk-…wxyz')
  await box('Also import 1 key').click()
  await box('Also import SOUL.md').click()
  await button('Import').click()
  await expect.element(heading('Imported')).toBeVisible()
  await expect.element(dialog().getByText('1 skill, 1 setting, 1 key', { exact: true })).toBeVisible()
  const { settings, keys } = await host.elsewhere['settings.list']({})
  expect(settings.find(({ path }) => path === 'agent.max_iterations')?.value).toBe(42)
  expect(keys.find(({ name }) => name === 'OPENROUTER_API_KEY')?.source).toMatchObject({ from: '.env' })
  const { skills } = await host.elsewhere['skills.list']({})
  expect(skills.map(({ name }) => name)).toContain('tidy-csv')

  await button('Import more').click()
  await look(host, 'hermes')
  await expect.element(box('Also import SOUL.md')).toBeChecked()
  await expect.element(box('Also import 1 key')).toHaveAccessibleDescription(/\(replaces yours\)$/)
  await expect
    .element(page.getByRole('list', { name: 'Left out' }))
    .toMatchTextContent('skill tidy-csv: a skill with this name already exists')
})

test('an import shows its progress, and a cancelled one says what was imported', async () => {
  const host = await showImport()
  const coming = slowly(host)
  await look(host)
  await button('Import').click()
  await expect.element(heading('Importing from ChatGPT')).toHaveFocus()
  coming.step(2)
  await expect.element(dialog().getByText('40 of 120')).toBeVisible()
  const bar = page.getByRole('progressbar', { name: 'Importing from ChatGPT' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '40 of 120')
  coming.step(2)
  await expect.element(dialog().getByText('Preparing the search…')).toBeVisible()
  // Otherwise the host could be stopped before it sends its last event.
  await expect.poll(coming.heard).toBe(5)
  await button('Cancel').click()
  await expect.element(button('Stopping…')).toBeDisabled()
  coming.step(1)
  await expect.element(heading('Stopped')).toHaveFocus()
  await expect.element(dialog().getByText(/completely or not at all/)).toBeVisible()
  await button('Import more').click()
  await expect.element(field()).toHaveFocus()
})

test('an import continues while its dialog is closed, and its end is announced', async () => {
  const host = await showImport()
  const coming = slowly(host)
  await look(host)
  await button('Import').click()
  await expect.element(heading('Importing from ChatGPT')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  coming.step(3)
  await open()
  await expect.element(dialog().getByText('80 of 120')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  coming.step(2)
  await expect.element(page.getByText('Imported 60 chats and 0 memories.')).toBeVisible()
})

test('a path that cannot be imported is reported at the field, which keeps text and focus', async () => {
  const host = await showImport()
  const path = `${host.workspace}/export.zip`
  const sentence = `There is nothing at ${path}.`
  await field().fill(path)
  await dialog().getByRole('button', { name: 'Look inside' }).click()
  await expect.element(page.getByRole('alert').getByText(sentence)).toBeVisible()
  await expect.element(field()).toHaveFocus()
  await expect.element(field()).toHaveValue(path)
  await expect.element(field()).toHaveAccessibleDescription(sentence)
  await userEvent.keyboard('x')
  await expect.element(page.getByText(sentence)).not.toBeInTheDocument()
})

/** After how many further previews the host forgets the oldest one. */
const PREVIEWS = 20

test('an import that cannot start, or breaks off, is reported at the field', async () => {
  const host = await showImport()
  await look(host)
  await expect.element(button('Import')).toBeVisible()
  const path = `${host.workspace}/export`
  for (let count = 0; count < PREVIEWS; count++) await host.elsewhere['import.preview']({ path })
  await button('Import').click()
  await expect.element(field()).toHaveAccessibleDescription('This preview has expired. Open the file again.')
  const coming = slowly(host)
  await userEvent.keyboard('{Enter}')
  await button('Import').click()
  await expect.element(heading('Importing from ChatGPT')).toBeVisible()
  coming.step(2)
  await expect.element(dialog().getByText('40 of 120')).toBeVisible()
  coming.breakOff(new Fault('disconnected', 'The host went away.'))
  await expect
    .element(field())
    .toHaveAccessibleDescription(/^The host went away\. What was imported before that is here/)
  await expect.element(field()).toHaveFocus()
})

test('an import that breaks off while its dialog is closed is announced, and reported at the field on opening', async () => {
  const host = await showImport()
  const coming = slowly(host)
  await look(host)
  await button('Import').click()
  await expect.element(heading('Importing from ChatGPT')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  coming.breakOff(new Fault('internal', 'The disk is full.'))
  await expect.element(page.getByText('The disk is full.')).toBeVisible()
  await open()
  await expect.element(field()).toHaveAccessibleDescription('The disk is full.')
  await expect.element(field()).toHaveValue(`${host.workspace}/export`)
})

test('a preview can be cancelled, and a late result is not shown', async () => {
  const host = await showImport()
  const { client } = host.link
  const preview = client['import.preview']
  const shown = Promise.withResolvers<void>()
  const found = Promise.withResolvers<unknown>()
  let heard: AbortSignal | undefined
  client['import.preview'] = async (input, { signal } = {}) => {
    heard = signal
    const answer = await preview(input)
    await shown.promise
    found.resolve(answer)
    return answer
  }
  await look(host)
  await expect.element(field()).toHaveAttribute('readonly')
  await button('Cancel').click()
  expect(heard?.aborted).toBe(true)
  shown.resolve()
  expect(await found.promise).toMatchObject({ sessions: 60 })
  await expect.element(dialog().getByRole('button', { name: 'Look inside' })).toBeEnabled()
  await expect.element(field()).toHaveFocus()
  await expect.element(heading('From ChatGPT')).not.toBeInTheDocument()
})

test.for([
  ['an empty home', 'hermes', 'There is nothing in it to import.'],
  ['an export that came before', 'export', 'Nothing new: all its chats are already here.'],
] as const)('%s: nothing to import, another file can be chosen', async ([, folder, sentence]) => {
  const host = await showImport(({ seed }) => {
    void seed.hermes({ folder: 'hermes', chats: [] })
    void seed.chatGpt({ folder: 'export', chats: ['A', 'B', 'C'] })
  })
  await importElsewhere(host, 'export')
  await look(host, folder)
  await expect.element(dialog().getByText(sentence)).toBeVisible()
  await expect.element(button('Import')).not.toBeInTheDocument()
  await button('Choose another').click()
  await expect.element(field()).toHaveFocus()
  await expect.element(field()).toHaveValue('')
})

test('when only memories are new, “Import” needs them to be chosen', async () => {
  const host = await showImport(
    ({ seed }) => void seed.hermes({ folder: 'hermes', user: facts, chats: ['A', 'B'] }),
  )
  await importElsewhere(host, 'hermes')
  await look(host, 'hermes')
  await expect.element(heading('From Hermes')).toBeVisible()
  expect(counts()).toEqual(['2 (2 already here)', '4', '5'])
  await expect.element(button('Import')).toBeEnabled()
  await withMemories().click()
  await expect.element(button('Import')).toBeDisabled()
})

test.for([1_280, 400])('no accessibility violations in any step, %i wide', async width => {
  const check = async () => {
    // Colours are the same at every width.
    await expectAccessible(width === 1_280 ? 'all' : 'elements')
    const box = dialog().element()
    expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
    expect(box.getBoundingClientRect().right).toBeLessThanOrEqual(width)
  }
  const long = 'long-'.repeat(40)
  const host = await showImport(host => aHome(host, long, ['A title '.repeat(24), ...sixty.slice(1)]))
  await page.viewport(width, 700)
  await look(host, `${long}/nothing`)
  await expect.element(dialog().getByRole('alert')).toBeVisible()
  await check()
  const coming = slowly(host)
  await look(host, long)
  await expect.element(button('Import')).toBeVisible()
  await check()
  await button('Import').click()
  coming.step(2)
  await expect.element(dialog().getByText('45 of 126')).toBeVisible()
  await check()
  coming.step(20)
  await expect.element(heading('Imported')).toBeVisible()
  await check()
})

test('all chats of a large import that another window brought are in the list, without a reload', async () => {
  const titles = Array.from({ length: 130 }, (_, at) => `Chat ${at + 1}`)
  const host = await showWindow(({ seed }) => void seed.chatGpt({ folder: 'export', chats: titles }))
  await importElsewhere(host, 'export')
  const rows = page.getByRole('navigation', { name: 'Chats' }).getByRole('button', { name: /^Chat \d/ })
  await rows.first().click()
  await expect
    .poll(async () => {
      await userEvent.keyboard('{End}')
      return document.activeElement?.closest('li')?.getAttribute('aria-setsize')
    })
    .toBe('130')
})
