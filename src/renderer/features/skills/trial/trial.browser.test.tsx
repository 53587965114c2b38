import axe from 'axe-core'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import type { FakeHost } from '../../../test/fake-host.ts'
import { button } from '../../../test/show-app.tsx'
import { fill, haiku, showPart } from '../edit/test-editor.tsx'
import { TrialTab } from './TrialTab.tsx'

const showTrial = (prepare: (host: FakeHost) => void = () => {}) =>
  showPart(
    () => <TrialTab id={haiku} />,
    host => {
      fill(host)
      prepare(host)
    },
  )
const sample = (number: number) => page.getByRole('textbox', { name: `Sample ${number}` })
const asked = (host: FakeHost, name: string) => host.asked.filter(each => each.name === name)

test('every sample says which skill would be loaded, and a sentence says what that means', async () => {
  const host = await showTrial(({ skills }) => {
    skills.next.choose = (sample, id) => (sample === 'One' ? id : sample === 'Two' ? 'clean-csv' : null)
  })
  await sample(5).fill('A poem about tea')
  await button('Ask the model').click()
  await expect.element(page.getByText('Built-in demo model would load it for 1 of 5.')).toBeVisible()
  await expect.element(sample(1)).toHaveAccessibleDescription('loads this skill')
  await expect.element(sample(2)).toHaveAccessibleDescription('loads “clean-csv” instead')
  await expect.element(sample(5)).toHaveAccessibleDescription('loads none')
  expect(asked(host, 'skills.tryTrigger').at(-1)?.input).toEqual({
    id: haiku,
    samples: ['One', 'Two', 'Three', 'Four', 'A poem about tea'],
  })
  // What was answered was about other words.
  await sample(1).fill('Ones')
  await expect.element(sample(1)).not.toHaveAccessibleDescription('loads this skill')
})

test('a skill that is loaded for nothing or for everything is told what to change', async () => {
  const host = await showTrial()
  await button('Ask the model').click()
  await expect.element(page.getByText(/promises too much/)).toBeVisible()
  host.skills.next.choose = () => null
  await button('Ask again').click()
  await expect.element(page.getByText(/Say in the description when it should be used/)).toBeVisible()
})

test('answers that were not understood say nothing of the skill', async () => {
  const host = await showTrial()
  host.link.client['skills.tryTrigger'] = ({ samples }) =>
    (async function* () {
      for (const sample of samples)
        yield { sample, chosen: null, isThis: false, unclear: true, model: 'Small' }
    })()
  await button('Ask the model').click()
  await expect.element(page.getByText(/^Small gave no clear answer to any of them/)).toBeVisible()
})

test('asking can be stopped, and empty samples are not asked about', async () => {
  const host = await showTrial()
  const { client } = host.link
  let signal: AbortSignal | undefined
  client['skills.tryTrigger'] = (_input, options) =>
    (async function* () {
      signal = options?.signal
      yield { sample: 'One', chosen: null, isThis: false, unclear: true, model: 'm' }
      await new Promise((_, fail) =>
        signal?.addEventListener('abort', () => fail(new Fault('cancelled', 'Cancelled.'))),
      )
    })()
  await sample(2).fill('  ')
  await button('Ask the model').click()
  await expect.element(page.getByText('Asking… 1 of 4')).toBeVisible()
  await button('Stop').click()
  await expect.element(page.getByText('Stopped.')).toBeVisible()
  await expect.element(sample(1)).toHaveAccessibleDescription('gave no clear answer')
  expect(signal?.aborted).toBe(true)
  await expect.element(button('Ask again')).toBeEnabled()
})

test('a model that cannot be asked is said so, and own samples do without made ones', async () => {
  const host = await showTrial(host =>
    host.failNext('skills.samples', new Fault('not_ready', 'No model is loaded.')),
  )
  await expect
    .element(page.getByText('No samples could be made. No model is loaded. Write your own.'))
    .toBeVisible()
  await expect.element(button('Ask the model')).toBeDisabled()
  await sample(1).fill('A poem')
  host.failNext('skills.tryTrigger', new Fault('not_ready', 'No model is loaded.'))
  await button('Ask the model').click()
  await expect.element(page.getByText('The model could not be asked. No model is loaded.')).toBeVisible()
})

test('trying it begins a chat whose message names the skill', async () => {
  const host = await showTrial()
  await button('Try it in a new chat').click()
  await expect.poll(() => location.hash).toBe('#chat=chat-1')
  expect(host.sessions.get('chat-1')?.draft).toBe('/haiku ')
})

test.for([
  ['light', 1280],
  ['dark', 420],
] as const)('nothing stands in the way of anyone in the trial, %s, %i wide', async ([theme, width]) => {
  await page.viewport(width, 800)
  document.documentElement.dataset['theme'] = theme
  await showTrial(({ skills }) => {
    skills.next.choose = sample => (sample === 'Two' ? 'clean-csv' : null)
  })
  await button('Ask the model').click()
  await expect.element(page.getByText(/Say in the description/)).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    rules: { 'page-has-heading-one': { enabled: false } },
  })
  delete document.documentElement.dataset['theme']
  expect(violations.map(each => `${each.id}: ${each.nodes.map(node => node.html).join('\n')}`)).toEqual([])
})
