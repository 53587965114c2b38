import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { FakeHostOptions } from '../../test/fake-host.ts'
import { aSkillText } from '../../test/fake-skill.ts'
import { aReply, aUserMessage } from '../../test/messages.ts'
import { button, composer, say, showApp, transcript } from '../../test/show-app.tsx'

/** A chat with everything that it may say of skills, and a question about one. */
async function aChat(options: FakeHostOptions) {
  const host = await showApp(({ addSession, skills }) => {
    skills.add({ name: 'tidy-csv', origin: 'builtin', body: 'Sort it.\nStop.' })
    skills.add({ name: 'a-skill-with-a-name-that-is-longer-than-most-names-of-skills-are', origin: 'agent' })
    skills.add({ name: 'gone', origin: 'agent' })
    skills.remove('own/gone')
    skills.addMany(30, index => ({ name: `skill-${index}` }))
    const skill = { id: 'bundled/tidy-csv', name: 'tidy-csv', text: 'Sort it.' }
    return addSession({ id: 'c1' }, [aUserMessage({ skill }), aReply()]).id
  }, options)
  await host.link.client['skills.undo']({ revisionIds: [3] })
  const text = aSkillText({ name: 'tidy-csv' }, 'Sort it by date.\nCount the rows.\nStop.')
  host.skills.change('bundled/tidy-csv', text, {
    note: 'Say which column it is sorted by, and count what is there',
  })
  await say('/tidy-csv go on')
  const run = await host.nextRun()
  run.emit({ type: 'skill_used', id: 'own/tidy-csv', name: 'tidy-csv' })
  run.emit({ type: 'skills', revisions: [structuredClone(host.skills.revisions().at(-1)!)] })
  return run
}

const screens: Record<string, (options: FakeHostOptions) => Promise<unknown>> = {
  'the list of skills': async options => {
    await aChat(options)
    await composer().click()
    await userEvent.keyboard('/{ArrowDown}')
    await expect.element(page.getByRole('listbox', { name: 'Skills and commands' })).toBeVisible()
  },
  'the chips of a turn': async options => {
    await aChat(options)
    await button(/^What changed in tidy-csv/).click()
    await expect.element(transcript().getByText('Undone: gone')).toBeInTheDocument()
  },
  'a question about a skill': async options => {
    const run = await aChat(options)
    const diff = ['@@ -1,2 +1,41 @@', '-Old', ...Array.from({ length: 40 }, (_, index) => `+Step ${index}`)]
    void run.ask({
      callId: 'a',
      tool: 'skill_manage',
      title: 'Change it',
      detail: diff.join('\n'),
      risk: 'write',
    })
    await expect.element(page.getByRole('region', { name: 'A question for you' })).toBeVisible()
    await expect.element(page.getByRole('group', { name: 'What would change' })).toBeVisible()
  },
}

const cases = Object.keys(screens).flatMap(name =>
  (['light', 'dark'] as const).flatMap(theme => [1280, 420].map(width => [name, theme, width] as const)),
)

test.for(cases)('nothing stands in the way of anyone in %s, %s, %i wide', async ([name, theme, width]) => {
  await page.viewport(width, 800)
  await screens[name]!({ hello: { settings: { theme, sendWith: 'enter' } } })
  await expect.poll(() => document.documentElement.dataset['theme']).toBe(theme)
  // Colours that are on their way from one to another are neither.
  for (const animation of document.getAnimations()) animation.cancel()
  const { violations } = await axe.run(document, { resultTypes: ['violations'] })
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
})
