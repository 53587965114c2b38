import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { button } from '../../../test/show-window.tsx'
import type { PreparedHost, TestHost } from '../../../test/test-host.ts'
import { fill, haiku, showPart } from '../../../test/skill-editor.tsx'
import { TrialTab } from './TrialTab.tsx'

const showTrial = (prepare: (host: PreparedHost) => void = () => {}) =>
  showPart(
    () => (
      <>
        <h2>Haiku</h2>
        <TrialTab id={haiku} />
      </>
    ),
    host => {
      fill(host)
      prepare(host)
    },
  )
const sample = (number: number) => page.getByRole('textbox', { name: `Sample ${number}` })
/** What the host makes of the description of the haiku skill, and of no skill at all. */
const samples = [
  'Please write a haiku.',
  'I need a poem.',
  'Can you help me with haiku?',
  'I need help with how to do clean-csv.',
]
/** Let the model choose a skill for each sample, in their order. */
const choosing = (host: Pick<TestHost, 'modelSays'>, choose: (sample: string) => string) =>
  host.modelSays(({ text, say }) => void say(JSON.stringify({ skill: choose(text) })))
const asked = (host: TestHost, name: string) => host.asked.filter(each => each.name === name)

test('each sample shows which skill would be loaded, and a sentence sums it up', async () => {
  const host = await showTrial(host =>
    choosing(host, text => {
      if (text.includes(samples[0]!)) return 'haiku'
      return text.includes(samples[1]!) ? 'clean-csv' : 'none'
    }),
  )
  await sample(5).fill('A poem about tea')
  await button('Ask the model').click()
  await expect.element(page.getByText('Served model would load the skill for 1 of 5 messages.')).toBeVisible()
  await expect.element(sample(1)).toHaveAccessibleDescription('loads this skill')
  await expect.element(sample(2)).toHaveAccessibleDescription('loads “clean-csv” instead')
  await expect.element(sample(5)).toHaveAccessibleDescription('loads no skill')
  expect(asked(host, 'skills.tryTrigger').at(-1)?.input).toEqual({
    id: haiku,
    samples: [...samples, 'A poem about tea'],
  })
  // What was answered was about other words.
  await sample(1).fill('Ones')
  await expect.element(sample(1)).not.toHaveAccessibleDescription('loads this skill')
})

test('a skill loaded for every sample, or for none, gets advice', async () => {
  const host = await showTrial(host => choosing(host, () => 'haiku'))
  await button('Ask the model').click()
  await expect.element(page.getByText(/promises too much/)).toBeVisible()
  choosing(host, () => 'none')
  await button('Ask again').click()
  await expect
    .element(
      page.getByText(/would load the skill for none of the messages\. Another model may decide differently/),
    )
    .toBeVisible()
})

test('unclear answers are reported as unclear', async () => {
  await showTrial(host => host.modelSays(({ say }) => void say('The weather is nice.')))
  await button('Ask the model').click()
  await expect.element(page.getByText(/^Served model gave no clear answer to any message/)).toBeVisible()
})

test('the trial can be stopped, and skips empty samples', async () => {
  const host = await showTrial()
  await sample(2).fill('  ')
  await button('Ask the model').click()
  await (await host.nextAsked()).say('The weather is nice.')
  const second = await host.nextAsked()
  expect(second.text).toContain(samples[2])
  await expect.element(page.getByText('Asking… 1 of 4')).toBeVisible()
  await button('Stop').click()
  await expect.element(page.getByText('Stopped.')).toBeVisible()
  await expect.element(sample(1)).toHaveAccessibleDescription('gave no clear answer')
  await expect.poll(() => second.isCut()).toBe(true)
  await expect.element(button('Ask again')).toBeEnabled()
})

test('a model that cannot be asked is reported, and own samples work without generated ones', async () => {
  const host = await showTrial(
    host => void host.failEach('skills.samples', new Fault('internal', 'The folder is locked.')),
  )
  await expect
    .element(page.getByText('No samples could be made. The folder is locked. Write your own.'))
    .toBeVisible()
  await expect.element(button('Ask the model')).toBeDisabled()
  await sample(1).fill('A poem')
  await button('Ask the model').click()
  await (await host.nextAsked()).fail(400, 'It takes no questions.')
  await expect
    .element(page.getByText(/^The model could not be asked\. .*It takes no questions/))
    .toBeVisible()
})

test('“Try it” opens a new chat whose draft names the skill', async () => {
  const host = await showTrial()
  await button('Try it in a new chat').click()
  await expect.poll(() => location.hash).toMatch(/^#chat=\w+$/)
  const { draft } = await host.elsewhere['session.get']({ id: location.hash.slice('#chat='.length) })
  expect(draft).toBe('/haiku ')
})

test('the trial has no accessibility violations, light or dark, wide or narrow', async () => {
  await showTrial(host => choosing(host, text => (text.includes(samples[1]!) ? 'clean-csv' : 'none')))
  await button('Ask the model').click()
  await expect.element(page.getByText(/Another model may decide differently/)).toBeVisible()
  await expectAccessibleAt(1_280, 420)
})
