import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Model } from '../../../../shared/contract/models/model.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { HostProvider } from '../../../rpc/host-context.tsx'
import { button, startHost } from '../../../test/show-window.tsx'
import type { TestHost } from '../../../test/test-host.ts'
import { AddModelDialog } from '../add/AddModelDialog.tsx'
import { asked, details, fill, showModels } from '../../../test/models.tsx'

const dialog = () => page.getByRole('dialog')
const field = (name: string) => page.getByRole('textbox', { name })
const preset = (name: string) =>
  page.getByRole('group', { name: 'Which server' }).getByText(name, { exact: true })
const key = () => page.getByLabelText('Key', { exact: true })
const models = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `maker/model-${at}` }))
const offline = { network: { offline: true } }

/** The dialog with the form of a server, over a host of its own. */
async function showForm(...given: Parameters<typeof startHost>) {
  const host = await startHost(...given)
  const added: Model[] = []
  await render(
    <HostProvider link={host.link}>
      <AddModelDialog how="server" onAdded={model => added.push(model)} onClose={() => {}} />
    </HostProvider>,
  )
  return { ...host, added }
}
/** Name the server of the test, where a well-known one would be elsewhere on this computer. */
const atServer = ({ modelUrl }: TestHost) => field('Address').fill(modelUrl)

test('a preset fills the form, can be tested, and offers the server’s models', async () => {
  const host = await showForm(({ seed }) => {
    const owned = { owned_by: 'library' }
    void seed.servedModels([
      { id: 'qwen3:8b', context_length: 40_960, ...owned },
      { id: 'gemma3:4b', ...owned },
    ])
  })
  await expect.element(button('Test')).toBeDisabled()
  await preset('Ollama').click()
  await expect.element(field('Address')).toHaveValue('http://127.0.0.1:11434/v1')
  await expect.element(key()).toHaveAccessibleDescription('Ollama needs no key.')
  await expect
    .element(page.getByText('what you write in chats with it stays here', { exact: false }))
    .toBeVisible()
  await atServer(host)
  await button('Test').click()
  await expect.element(dialog().getByRole('status')).toMatchTextContent(/^Ollama answers, with 2 models\./)
  await expect.element(button('Add')).toBeDisabled()
  await page.getByRole('radio', { name: /^qwen3:8b/ }).click()
  await expect.element(field('Model')).toHaveValue('qwen3:8b')
  await expect.element(field('Name')).toHaveValue('qwen3:8b')
  await field('Name').fill('Workshop')
  await page.getByRole('radio', { name: /^gemma3:4b/ }).click()
  await expect.element(field('Name')).toHaveValue('Workshop')
  await button('Add').click()
  await expect.poll(() => host.added.map(({ name }) => name)).toEqual(['Workshop'])
  const server = { protocol: 'openai', baseUrl: host.modelUrl, apiKey: '' }
  expect(asked(host, 'model.tryServer')).toEqual([{ ...server, model: '' }])
  expect(asked(host, 'model.addServer')).toEqual([{ ...server, model: 'gemma3:4b', name: 'Workshop' }])
})

test('a key with a space is refused, in the test and when the server is added', async () => {
  const host = await showForm()
  await atServer(host)
  await key().fill('sk 1')
  await button('Test').click()
  const refused = /^The key contains a space or another character/
  await expect.element(dialog().getByRole('status')).toMatchTextContent(refused)
  await field('Model').fill('m')
  await button('Add').click()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent(refused)
  await key().fill('sk-1')
  await button('Add').click()
  await expect.poll(() => host.added.length).toBe(1)
})

test('each preset says whether it needs a key, and where messages go', async () => {
  await showForm()
  await preset('Anthropic').click()
  await expect.element(key()).toHaveAccessibleDescription(/^Anthropic needs a key from your account there\./)
  await expect
    .element(page.getByText(/leaves this computer and is sent to api\.anthropic\.com\./))
    .toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'OpenAI-compatible' })).not.toBeInTheDocument()
  await preset('LiteLLM').click()
  await expect.element(page.getByText(/^LiteLLM passes what you write on/)).toBeVisible()
  await preset('Another server').click()
  await expect.element(field('Address')).toHaveValue('')
  await expect.element(page.getByRole('radio', { name: 'OpenAI-compatible' })).toBeChecked()
})

test('an unknown server can be added by hand without a test', async () => {
  const host = await showForm()
  await field('Address').fill('http://llm.example.org/v1')
  await page.getByText('Anthropic', { exact: true }).last().click()
  await key().fill('sk-1')
  await field('Model').fill('maker/large-2')
  await expect.element(page.getByText(/starts with http:\/\/, so others can read what is sent/)).toBeVisible()
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
  await expect.poll(() => host.added.map(model => model.server?.key)).toEqual(['stored'])
})

test('an invalid address is reported without a request', async () => {
  await showForm()
  await field('Address').fill('localhost:8080')
  await expect.element(page.getByRole('alert')).toMatchTextContent('starts with http:// or https://')
  await field('Address').fill('https://me:pw@llm.example.org')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Do not put a name and password')
  await field('Model').fill('m')
  await expect.element(button('Add')).toBeDisabled()
  await field('Address').fill('http://192.168.1.5:11434')
  await expect.element(page.getByText(/sent to 192\.168\.1\.5:11434, in your own network/)).toBeVisible()
  await expect.element(button('Add')).toBeEnabled()
})

test('a failed test says why and what to do, and the server can still be added', async () => {
  const host = await showForm()
  await preset('LM Studio').click()
  await field('Address').fill(`${host.filesUrl}/nothing`)
  await button('Test').click()
  const says = dialog().getByRole('status')
  await expect
    .element(says)
    .toMatchTextContent(/^There are no chat completions at 127\.0\.0\.1:\d+ under this/)
  await expect.element(says).toMatchTextContent('Check the address; for most servers it ends in /v1.')
  await key().fill('k')
  await expect.element(says).toBeEmptyDOMElement()
  host.failNext('model.tryServer', new Fault('internal', 'No line.'))
  await button('Test').click()
  await expect.element(says).toMatchTextContent('No line.')
  await field('Model').fill('m')
  // No file can keep a key with all kinds of quotes in it.
  await key().fill('\'"`')
  await button('Add').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('A key is one line of text')
  await key().fill('k')
  await button('Add').click()
  await expect.poll(() => host.added).toHaveLength(1)
})

test('a long list can be filtered, and an only model is selected by itself', async () => {
  const host = await showForm(({ seed }) => void seed.servedModels(models(230)))
  await preset('OpenRouter').click()
  await atServer(host)
  await button('Test').click()
  await expect.element(page.getByText('130 more. Filter the list to see them.')).toBeVisible()
  const filter = page.getByRole('searchbox', { name: 'Filter the list' })
  await filter.fill('maker 229')
  await userEvent.keyboard('{Enter}')
  expect(asked(host, 'model.addServer')).toEqual([])
  await page.getByRole('radio', { name: 'maker/model-229' }).click()
  await expect.element(field('Name')).toHaveValue('model-229')
  await filter.fill('nothing like it')
  await expect.element(page.getByText('No model name contains “nothing like it”.')).toBeVisible()
  await expect.element(field('Model')).toHaveValue('maker/model-229')
  await host.seed.servedModels(models(1))
  await preset('vLLM').click()
  await expect.element(field('Model')).toHaveValue('')
  await atServer(host)
  await button('Test').click()
  await expect.element(field('Model')).toHaveValue('maker/model-0')
})

test('a test result that arrives after the address changed is not shown', async () => {
  const host = await showForm(({ seed }) => void seed.servedModels(models(2)))
  const asking = { protocol: 'openai', baseUrl: host.modelUrl, model: '', apiKey: '' } as const
  const answer = await host.elsewhere['model.tryServer'](asking)
  expect(answer.text).toContain('2 models')
  const { promise, resolve } = Promise.withResolvers<typeof answer>()
  host.answer({ 'model.tryServer': () => promise })
  await atServer(host)
  await button('Test').click()
  await expect.element(button('Testing…')).toBeDisabled()
  await field('Address').fill('http://127.0.0.1:1/v1')
  await expect.element(button('Test')).toBeEnabled()
  resolve(answer)
  // Whatever the window makes of it is done before the host has answered this.
  await host.elsewhere['model.list']({})
  await expect.element(dialog().getByRole('status')).toBeEmptyDOMElement()
  await expect.element(page.getByRole('radio', { name: 'maker/model-0' })).not.toBeInTheDocument()
})

test('a key typed for one preset is cleared for the next', async () => {
  const host = await showForm(undefined, { config: offline })
  await preset('OpenAI').click()
  await key().fill('sk-secret')
  await preset('OpenRouter').click()
  await expect.element(key()).toHaveValue('')
  await button('Test').click()
  await expect.poll(() => asked(host, 'model.tryServer')).toMatchObject([{ apiKey: '' }])
})

test('the offline lock is mentioned only for servers that it blocks', async () => {
  await showForm(undefined, { config: offline })
  await preset('OpenAI').click()
  await expect.element(page.getByText(/^The offline lock is on/)).toBeVisible()
  await preset('llama-server').click()
  await expect.element(page.getByText(/^The offline lock is on/)).not.toBeInTheDocument()
})

/** A server elsewhere on the Models page, opened to be changed; nothing is sent there. */
async function change(base_url = 'https://llm.example.org/v1', env = '') {
  const server = { id: 'workshop', name: 'workshop', base_url, model: 'big' }
  const host = await showModels(() => {}, {
    config: { models: { servers: [server] }, ...offline },
    homeFiles: { '.env': env },
  })
  await details('workshop').click()
  await button('Change…').click()
  await expect.element(page.getByRole('dialog', { name: 'Change workshop' })).toBeVisible()
  return host
}
/** The server as the host lists it. */
const workshopOf = async (host: Awaited<ReturnType<typeof showModels>>) =>
  (await host.elsewhere['model.list']({})).models.find(({ id }) => id === 'server:workshop')?.server
const keptKey = 'TALARIA_SERVER_WORKSHOP_KEY=sk-1\n'

test('editing a server neither shows nor loses its key', async () => {
  const host = await change(undefined, keptKey)
  await expect.element(field('Address')).toHaveValue('https://llm.example.org/v1')
  await expect.element(field('Model')).toHaveValue('big')
  await expect.element(key()).toHaveValue('')
  await expect
    .element(key())
    .toHaveAccessibleDescription('A key is stored. Leave this empty to keep using it.')
  await dialog().getByRole('button', { name: 'Test' }).click()
  expect(asked(host, 'model.tryServer')).toMatchObject([{ id: 'server:workshop', apiKey: '' }])
  await field('Name').fill('Office')
  await field('Model').fill('bigger')
  await button('Save').click()
  await expect.element(page.getByText('Office was changed.')).toBeVisible()
  expect(asked(host, 'model.addServer')).toEqual([
    {
      id: 'server:workshop',
      protocol: 'openai',
      baseUrl: 'https://llm.example.org/v1',
      apiKey: '',
      model: 'bigger',
      name: 'Office',
    },
  ])
  await expect.element(details('Office')).toBeVisible()
  expect((await workshopOf(host))?.key).toBe('stored')
})

test('the time that a server may take to begin an answer can be set, and taken away', async () => {
  const host = await change()
  const wait = field('Maximum wait for the start of an answer, in seconds')
  await expect.element(wait).toHaveValue('')
  await expect.element(wait).toHaveAccessibleDescription(/^If it is empty, Talaria waits ten minutes\./)
  await wait.fill('100000')
  await expect.element(dialog().getByRole('alert')).toMatchTextContent(/^A whole number from 1 to/)
  await expect.element(button('Save')).toBeDisabled()
  await wait.fill('3600')
  await button('Save').click()
  await expect.element(page.getByText('Maximum wait', { exact: true })).toBeVisible()
  const waits = async () => (await workshopOf(host))?.startTimeoutS
  expect(await waits()).toBe(3_600)
  await button('Change…').click()
  await expect.element(wait).toHaveValue('3600')
  await wait.fill('')
  await field('Address').fill('http://127.0.0.1:1/v1')
  await expect
    .element(wait)
    .toHaveAccessibleDescription(/^If it is empty, Talaria waits as long as it takes\./)
  await button('Save').click()
  await expect.element(page.getByText('Maximum wait', { exact: true })).not.toBeInTheDocument()
  expect(await waits()).toBe(null)
})

test('the context window of a model on a server can be set, and taken away', async () => {
  const host = await change()
  const window = field('Context window, in tokens')
  await expect.element(window).toHaveValue('')
  await window.fill('100')
  await expect.element(dialog().getByRole('alert')).toMatchTextContent(/^A whole number from 512 to/)
  await expect.element(button('Save')).toBeDisabled()
  await window.fill('32768')
  await button('Save').click()
  const tokens = async () => (await workshopOf(host))?.contextTokens
  await expect.poll(tokens).toBe(32_768)
  await button('Change…').click()
  await expect.element(window).toHaveValue('32768')
  await window.fill('')
  await button('Save').click()
  await expect.poll(tokens).toBe(null)
})

test('a stored key is not used for another host', async () => {
  await change(undefined, keptKey)
  await field('Address').fill('https://elsewhere.example.org/v1')
  await expect
    .element(key())
    .toHaveAccessibleDescription(/^The stored key belongs to the old address and is not sent/)
  await field('Address').fill('https://llm.example.org/other')
  await expect.element(key()).toHaveAccessibleDescription(/^A key is stored\./)
})

test('a key from the environment is described as such', async () => {
  await change('https://api.openai.com/v1', 'OPENAI_API_KEY=sk-1\n')
  await expect.element(key()).toHaveAccessibleDescription(/^The key comes from the environment\./)
})

test('changing a server clears its old test result', async () => {
  await showModels(fill)
  await details('Served model').click()
  await button('Test').click()
  await expect.element(page.getByText(/It answered after/)).toBeVisible()
  await button('Change…').click()
  await field('Model').fill('bigger')
  await button('Save').click()
  await expect.element(page.getByText(/It answered after/)).not.toBeInTheDocument()
})
