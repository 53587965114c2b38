import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleAt } from '../../test/accessible.ts'
import type { PreparedHost, TestHost } from '../../test/test-host.ts'
import { sections, sectionTitles } from '../../../shared/words/setting-words.ts'
import { choice, field, heading, press, search, showSettings } from '../../test/settings.tsx'
import { used } from '../../test/usage.ts'

const far = { id: 'big', name: 'Big model', base_url: 'https://llm.example.org/v1', model: 'big' }
/** Everything that can stand on the page at once, but for mistakes in the file. */
const config = {
  models: { default: 'builtin', servers: [far], fallback: ['builtin', 'server:big'] },
  engine: { gpu: 'off' },
  skills: { folders: ['/srv/skills'] },
  approvals: { default: 'full' },
  network: { offline: true },
  ui: { expert: true },
}
const busy = {
  config,
  homeFiles: { '.env': 'TALARIA_SERVER_BIG_KEY=sk-1\n' },
  // The start of a host ends whatever was under way.
  begun: (host: TestHost) => host.seed.request({ state: 'running' }),
}
function fill(host: PreparedHost) {
  used()(host)
  for (const state of ['done', 'failed', 'blocked'] as const) void host.seed.request({ state })
  void host.seed.request({ host: 'localhost:1234', nearby: true, purpose: 'server_check', subject: 'Local' })
}

type Screen = () => Promise<unknown>
const shown: Record<string, Screen> = Object.fromEntries(
  sections.map((section): [string, Screen] => [
    section,
    async () => {
      await showSettings(fill, { ...busy, section, hello: { hosting: 'desktop' } })
      await expect.element(heading(sectionTitles[section])).toBeVisible()
      if (section === 'usage') await page.getByText('Show as a table').click()
      if (section === 'privacy') await expect.element(page.getByRole('table').first()).toBeVisible()
    },
  ]),
)

const screens: Record<string, Screen> = {
  ...shown,
  'a search, a number that is wrong, and what waits for a restart': async () => {
    await showSettings(fill, busy)
    await search().fill('t')
    await field('Time for a command').fill('45')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText(/^Restart Talaria/)).toBeVisible()
    await choice('Threads').selectOptions('A number')
    await field('Threads, number').fill('x')
  },
  'a question': async () => {
    await showSettings(fill, { ...busy, section: 'privacy' })
    await press('Clear the list…').click()
  },
  'mistakes in the file': async () => {
    const yaml = 'config_version: 4\nui:\n  expert: true\nengine:\n  gpu: vulcan\nweather: sunny\n'
    await showSettings(fill, { homeFiles: { 'config.yaml': yaml }, section: 'models' })
    await expect.element(page.getByRole('list', { name: 'What is wrong' }).first()).toBeVisible()
  },
}

test.for(Object.keys(screens))('%s: no accessibility violations, wide or narrow', async name => {
  await screens[name]!()
  // A name that was scrolled out of sight counts as none.
  document.querySelector('.settings-content')?.scrollTo(0, 0)
  await expectAccessibleAt(1_280, 420)
})
