import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessibleAt } from '../../test/accessible.ts'
import { button, openWindow, startHost } from '../../test/show-window.tsx'
import { asked, card, details, fill, showModels } from '../../test/models.tsx'

const turns = (check: string, end: string) =>
  `{% for m in messages %}${check}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>${end}`
const SWITCHED = turns('', "{{ '<think></think>' if enable_thinking is defined and not enable_thinking }}")
const REFUSING = `<n {{ messages | length }}>${turns("{% if m.role == 'assistant' and messages[loop.index0 - 1].role == 'assistant' %}{{ raise_exception('One by one.') }}{% endif %}", '')}`
const thinking = (name: string) => card(name).getByRole('combobox', { name: 'Thinking' })

const show = () =>
  showModels(host => {
    fill(host)
    void host.seed.modelFile({ home: 'models/thinker.gguf', template: SWITCHED })
    void host.seed.modelFile({ home: 'models/odd.gguf', template: REFUSING })
  })

test('thinking can be switched off where the chat template has a switch, and back', async () => {
  const host = await show()
  await details('thinker').click()
  const { id } = (await host.elsewhere['model.list']({})).models.find(({ name }) => name === 'thinker')!
  await expect.element(card('thinker')).toMatchTextContent('Thinkingits chat template can switch it off')
  expect([...thinking('thinker').element().querySelectorAll('option')].map(each => each.textContent)).toEqual(
    ['Model’s default', 'Off'],
  )
  await thinking('thinker').selectOptions('Off')
  await expect
    .poll(() => asked(host, 'model.setOptions').at(-1))
    .toEqual({ id, options: { thinking: 'off' } })
  await expect.element(thinking('thinker')).toHaveValue('off')
  await expect.element(button('Back to automatic')).toBeVisible()
  await thinking('thinker').selectOptions('Model’s default')
  await expect.poll(() => asked(host, 'model.setOptions').at(-1)).toEqual({ id, options: {} })
  await expectAccessibleAt(400, 1_100)
})

test('a chat template without a switch says so in place of a choice, and what it does to chats is said', async () => {
  await show()
  await expect
    .element(card('odd'))
    .toMatchTextContent(
      'Its chat template rejects some chats (One by one). Those chats are rendered with fewer roles than usual.',
    )
  await details('odd').click()
  await expect
    .element(card('odd'))
    .toMatchTextContent('It cannot be set: the chat template of this model has no switch for it.')
  await expect.element(thinking('odd')).not.toBeInTheDocument()
  await expect.element(card('odd')).toMatchTextContent('This model rereads the whole chat at each turn')
  await expectAccessibleAt(400, 1_100)
})

test('the context of a chat that is read anew in each turn says so, with the reason', async () => {
  const host = await startHost(
    ({ seed }) => void seed.modelFile({ home: 'models/odd.gguf', template: REFUSING }),
  )
  const { models } = await host.elsewhere['model.list']({})
  const modelId = models.find(({ name }) => name === 'odd')!.id
  await host.elsewhere['model.setDefault']({ id: modelId })
  const { id } = await host.elsewhere['session.create']({ modelId })
  location.hash = `#chat=${id}`
  await openWindow(host)
  await button('Show what the model sees').click()
  const panel = page.getByRole('complementary', { name: 'Context' })
  await expect
    .element(panel)
    .toMatchTextContent(
      'This model rereads the whole chat at each turn, so long chats get slower. The reason: its chat template writes “<n 2><|system|>” at the beginning at first, and “<n 4><|system|>” when the chat continues.',
    )
  await expectAccessibleAt(420, 1_100)
})
