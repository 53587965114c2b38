import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { demoModel, type FakeHost, type FakeHostOptions } from '../../test/fake-host.ts'
import { sections } from './sections.ts'
import { settingsText } from './strings.ts'
import { choice, field, heading, press, search, showSettings } from './test-settings.tsx'
import { used } from './usage/test-usage.ts'

const server = { serverId: 's1', protocol: 'openai', model: 'big', nearby: false, key: 'stored' } as const
const models = [
  demoModel,
  {
    ...demoModel,
    id: 'big',
    name: 'Big model',
    kind: 'server' as const,
    server: { ...server, baseUrl: 'https://llm.example.org/v1' },
  },
]

/** Everything that can stand on the page at once. */
function busy(host: FakeHost) {
  const { config } = host
  used()(host)
  config.put('engine.gpu', 'off')
  config.put('models.fallback', ['builtin', 'big'])
  config.put('skills.folders', ['/srv/skills'])
  config.put('approvals.default', 'full')
  config.put('network.offline', true)
  config.problems.push(
    { line: 12, text: 'engine.gpu must be one of “auto”, “off”.', severity: 'error' },
    { line: null, text: 'The setting “weather” is not known.', severity: 'warning' },
  )
  for (const state of ['running', 'done', 'failed', 'blocked'] as const) config.request({ state })
  config.request({ host: 'localhost:1234', nearby: true, purpose: 'server_check', subject: 'Local' })
}

type Screen = (options: FakeHostOptions) => Promise<unknown>
const shown: Record<string, Screen> = Object.fromEntries(
  sections.map((section): [string, Screen] => [
    section,
    async options => {
      await showSettings(busy, { ...options, models, section })
      await expect.element(heading(settingsText.sections[section])).toBeVisible()
      if (section === 'usage') await page.getByText('Show as a table').click()
      if (section === 'privacy') await expect.element(page.getByRole('table').first()).toBeVisible()
    },
  ]),
)

const screens: Record<string, Screen> = {
  ...shown,
  'a search, a number that is wrong, and what waits for a restart': async options => {
    await showSettings(busy, { ...options, models })
    await search().fill('t')
    await field('Time for a command').fill('45')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText(/^Start Talaria again/)).toBeVisible()
    await choice('Threads').selectOptions('A number')
    await field('Threads, the number').fill('x')
  },
  'a question': async options => {
    await showSettings(busy, { ...options, models, section: 'privacy' })
    await press('Clear the list…').click()
  },
  'a very narrow window': async options => {
    await page.viewport(420, 800)
    await showSettings(busy, { ...options, models, section: 'privacy' })
    await expect.element(page.getByRole('table').first()).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(420)
    const content = document.querySelector('.settings-content')!
    expect(content.scrollWidth).toBeLessThanOrEqual(content.clientWidth)
  },
}

const cases = Object.keys(screens).flatMap(name => [[name, 'light'] as const, [name, 'dark'] as const])

test.for(cases)('nothing stands in the way of anyone in %s, %s', async ([name, theme]) => {
  await screens[name]!({ hello: { settings: { theme, expert: true } } })
  await expect.poll(() => document.documentElement.dataset['theme']).toBe(theme)
  // A name that was scrolled out of sight counts as none.
  document.querySelector('.settings-content')?.scrollTo(0, 0)
  // Colours that are on their way from one to another are neither.
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
})
