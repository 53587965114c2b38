import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Model, ServerCheck } from '../../../../shared/contract/model.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { HostProvider } from '../../../rpc/host-context.tsx'
import type { Link } from '../../../rpc/link.ts'
import { fakeHost, type FakeHost, type FakeHostOptions } from '../../../test/fake-host.ts'
import { aServerModel } from '../../../test/fake-models.ts'
import { button } from '../../../test/show-app.tsx'
import { AddModelDialog } from '../AddModelDialog.tsx'
import { asked, details, showModels } from '../test-models.tsx'

const dialog = () => page.getByRole('dialog')
const field = (name: string) => page.getByRole('textbox', { name })
const preset = (name: string) =>
  page.getByRole('group', { name: 'Which server' }).getByText(name, { exact: true })
const key = () => page.getByLabelText('Key', { exact: true })
const models = (count: number): ServerCheck['models'] =>
  Array.from({ length: count }, (_, at) => ({ id: `maker/model-${at}`, contextTokens: null }))
const check = (given: Partial<ServerCheck>): ServerCheck => ({
  ok: true,
  text: 'Ollama answers.',
  fix: '',
  models: [],
  ms: 12,
  ...given,
})

type Options = FakeHostOptions & { client?: Partial<Link['client']> }

/** The dialog with the form of a server, over a host of its own. */
async function showForm(prepare: (host: FakeHost) => void = () => {}, { client, ...options }: Options = {}) {
  const host = fakeHost(options)
  prepare(host)
  const added: Model[] = []
  const link = { ...host.link, client: { ...host.link.client, ...client } }
  await render(
    <HostProvider link={link}>
      <AddModelDialog how="server" onAdded={model => added.push(model)} onClose={() => {}} />
    </HostProvider>,
  )
  return { ...host, added }
}

test('a well-known server fills the form in, is tested, and one of its models is chosen', async () => {
  const host = await showForm(({ files }) => {
    files.check = check({
      text: 'Ollama answers, with 2 models.',
      models: [
        { id: 'qwen3:8b', contextTokens: 40_960 },
        { id: 'gemma3:4b', contextTokens: null },
      ],
    })
  })
  await expect.element(button('Test')).toBeDisabled()
  await preset('Ollama').click()
  await expect.element(field('Address')).toHaveValue('http://127.0.0.1:11434/v1')
  await expect.element(key()).toHaveAccessibleDescription('Ollama wants none.')
  await expect
    .element(page.getByText('nothing that you write in chats with it leaves it', { exact: false }))
    .toBeVisible()
  await button('Test').click()
  await expect
    .element(dialog().getByRole('status'))
    .toMatchTextContent('Ollama answers, with 2 models. It took 0.01 s.')
  await expect.element(button('Add')).toBeDisabled()
  await page.getByRole('radio', { name: /^qwen3:8b/ }).click()
  await expect.element(field('Model')).toHaveValue('qwen3:8b')
  await expect.element(field('Name')).toHaveValue('qwen3:8b')
  await field('Name').fill('Workshop')
  await page.getByRole('radio', { name: /^gemma3:4b/ }).click()
  await expect.element(field('Name')).toHaveValue('Workshop')
  await button('Add').click()
  await expect.poll(() => host.added.map(({ name }) => name)).toEqual(['Workshop'])
  const server = { protocol: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', apiKey: '' }
  expect(asked(host, 'model.tryServer')).toEqual([{ ...server, model: '' }])
  expect(asked(host, 'model.addServer')).toEqual([{ ...server, model: 'gemma3:4b', name: 'Workshop' }])
})

test('each well-known server says whether it wants a key, and where words go', async () => {
  await showForm()
  await preset('Anthropic').click()
  await expect.element(key()).toHaveAccessibleDescription(/^Anthropic wants one, from your account there\./)
  await expect
    .element(page.getByText(/leaves this computer and is sent to api\.anthropic\.com\./))
    .toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'OpenAI-compatible' })).not.toBeInTheDocument()
  await preset('LiteLLM').click()
  await expect.element(page.getByText(/^LiteLLM hands what you write on/)).toBeVisible()
  await preset('Another one').click()
  await expect.element(field('Address')).toHaveValue('')
  await expect.element(page.getByRole('radio', { name: 'OpenAI-compatible' })).toBeChecked()
})

test('a server that nobody knows is described by hand, without a test', async () => {
  const host = await showForm()
  await field('Address').fill('http://llm.example.org/v1')
  await page.getByText('Anthropic', { exact: true }).last().click()
  await key().fill('sk-1')
  await field('Model').fill('maker/large-2')
  await expect.element(page.getByText(/begins with http:\/\/, so others can read it/)).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => asked(host, 'model.addServer'))
    .toEqual([
      {
        protocol: 'anthropic',
        baseUrl: 'http://llm.example.org/v1',
        apiKey: 'sk-1',
        model: 'maker/large-2',
        name: 'large-2',
      },
    ])
})

test('what is no address is said before anything is asked', async () => {
  await showForm()
  await field('Address').fill('localhost:8080')
  await expect.element(page.getByRole('alert')).toMatchTextContent('starts with http:// or https://')
  await field('Address').fill('https://me:pw@llm.example.org')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Leave name and password out')
  await field('Model').fill('m')
  await expect.element(button('Add')).toBeDisabled()
  await field('Address').fill('http://192.168.1.5:11434')
  await expect.element(page.getByText(/sent to 192\.168\.1\.5:11434, in your own network/)).toBeVisible()
  await expect.element(button('Add')).toBeEnabled()
})

test('a test that fails says why and what to do, and the server can be added all the same', async () => {
  const host = await showForm(({ files }) => {
    files.check = check({ ok: false, text: 'Nobody answers at 127.0.0.1:1234.', fix: 'Start its server.' })
  })
  await preset('LM Studio').click()
  await button('Test').click()
  const says = dialog().getByRole('status')
  await expect.element(says).toMatchTextContent('Nobody answers at 127.0.0.1:1234.')
  await expect.element(says).toMatchTextContent('Start its server.')
  await key().fill('k')
  await expect.element(says).toBeEmptyDOMElement()
  host.failNext('model.tryServer', new Fault('internal', 'No line.'))
  await button('Test').click()
  await expect.element(says).toMatchTextContent('No line.')
  await field('Model').fill('m')
  host.failNext('model.addServer', new Fault('bad_input', 'A key is one line of text.'))
  await button('Add').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('A key is one line of text.')
  await button('Add').click()
  await expect.poll(() => host.added).toHaveLength(1)
})

test('a long list is filtered, and its only model needs no choice', async () => {
  const host = await showForm(({ files }) => {
    files.check = check({ models: models(230) })
  })
  await preset('OpenRouter').click()
  await button('Test').click()
  await expect.element(page.getByText('130 more. Filter the list to see them.')).toBeVisible()
  const filter = page.getByRole('searchbox', { name: 'Filter the list' })
  await filter.fill('maker 229')
  await userEvent.keyboard('{Enter}')
  expect(asked(host, 'model.addServer')).toEqual([])
  await page.getByRole('radio', { name: 'maker/model-229' }).click()
  await expect.element(field('Name')).toHaveValue('model-229')
  await filter.fill('nothing like it')
  await expect.element(page.getByText('None has “nothing like it” in its name.')).toBeVisible()
  await expect.element(field('Model')).toHaveValue('maker/model-229')
  host.files.check = check({ models: models(1) })
  await preset('vLLM').click()
  await expect.element(field('Model')).toHaveValue('')
  await button('Test').click()
  await expect.element(field('Model')).toHaveValue('maker/model-0')
})

test('an answer that comes after the address was changed is not shown', async () => {
  const { promise, resolve } = Promise.withResolvers<ServerCheck>()
  await showForm(undefined, { client: { 'model.tryServer': () => promise } })
  await preset('Ollama').click()
  await button('Test').click()
  await expect.element(button('Testing…')).toBeDisabled()
  await field('Address').fill('http://127.0.0.1:1/v1')
  resolve(check({ text: 'Ollama answers.', models: models(2) }))
  await expect.element(button('Test')).toBeEnabled()
  await expect.element(dialog().getByRole('status')).toBeEmptyDOMElement()
  await expect.element(page.getByRole('radio', { name: 'maker/model-0' })).not.toBeInTheDocument()
})

test('a key that was typed for one server does not reach the next', async () => {
  const host = await showForm()
  await preset('OpenAI').click()
  await key().fill('sk-secret')
  await preset('OpenRouter').click()
  await expect.element(key()).toHaveValue('')
  await button('Test').click()
  await expect.poll(() => asked(host, 'model.tryServer')).toMatchObject([{ apiKey: '' }])
})

test('the offline lock is said for what it holds back, and only for that', async () => {
  await showForm(undefined, { hello: { locked: true } })
  await preset('OpenAI').click()
  await expect.element(page.getByText(/^The offline lock is on/)).toBeVisible()
  await preset('llama-server').click()
  await expect.element(page.getByText(/^The offline lock is on/)).not.toBeInTheDocument()
})

/** A server on the Models page, opened to be changed. */
async function change(given: Partial<NonNullable<Model['server']>> = {}) {
  const model = aServerModel('workshop')
  const server = { ...model.server!, baseUrl: 'https://llm.example.org/v1', nearby: false, ...given }
  const host = await showModels(host => void host.models.push({ ...model, server }))
  await details('workshop').click()
  await button('Change…').click()
  await expect.element(page.getByRole('dialog', { name: 'Change workshop' })).toBeVisible()
  return host
}

test('a known server is changed, and its key is neither shown nor lost', async () => {
  const host = await change({ key: 'stored' })
  await expect.element(field('Address')).toHaveValue('https://llm.example.org/v1')
  await expect.element(field('Model')).toHaveValue('big')
  await expect.element(key()).toHaveValue('')
  await expect.element(key()).toHaveAccessibleDescription('A key is kept. Leave this empty to go on with it.')
  await dialog().getByRole('button', { name: 'Test' }).click()
  expect(asked(host, 'model.tryServer')).toMatchObject([{ id: 'workshop', apiKey: '' }])
  await field('Name').fill('Office')
  await field('Model').fill('bigger')
  await button('Save').click()
  await expect.element(page.getByText('Office was changed.')).toBeVisible()
  expect(asked(host, 'model.addServer')).toEqual([
    {
      id: 'workshop',
      protocol: 'openai',
      baseUrl: 'https://llm.example.org/v1',
      apiKey: '',
      model: 'bigger',
      name: 'Office',
    },
  ])
  await expect.element(details('Office')).toBeVisible()
})

test('a kept key is not promised to another host', async () => {
  await change({ key: 'stored' })
  await field('Address').fill('https://elsewhere.example.org/v1')
  await expect.element(key()).toHaveAccessibleDescription(/^The kept key belongs to the old address\./)
  await field('Address').fill('https://llm.example.org/other')
  await expect.element(key()).toHaveAccessibleDescription(/^A key is kept\./)
})

test('a key of the environment is named as such', async () => {
  await change({ key: 'environment' })
  await expect.element(key()).toHaveAccessibleDescription(/^The key comes from the environment\./)
})

test('an old test says nothing about a server that was changed', async () => {
  await change()
  await userEvent.keyboard('{Escape}')
  await button('Test').click()
  await expect.element(page.getByText(/It answered after/)).toBeVisible()
  await button('Change…').click()
  await field('Model').fill('bigger')
  await button('Save').click()
  await expect.element(page.getByText(/It answered after/)).not.toBeInTheDocument()
})
