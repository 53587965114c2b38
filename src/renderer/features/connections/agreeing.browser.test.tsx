import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Fault } from '../../../shared/rpc.ts'
import { expectAccessible, expectAccessibleAt } from '../../test/accessible.ts'
import { button, composer, say, showWindow, transcript } from '../../test/show-window.tsx'

const card = (name: string) => page.getByRole('listitem', { name, exact: true })
const question = () => page.getByRole('region', { name: 'A question for you' })
/** A server of tests in this mode, as config.yaml has it. */
const echoes = (...mode: string[]) => ({
  mcp: { servers: [{ name: 'echoes', command: '$node', args: ['$misbehaving', ...mode] }] },
})

/** The page of a window over a host whose server was agreed to and listed. */
async function showEchoes(...mode: string[]) {
  const host = await showWindow(undefined, { config: echoes(...mode) })
  const { servers } = await host.elsewhere['mcp.list']({})
  await host.elsewhere['mcp.accept']({ name: 'echoes', seen: servers[0]!.seen })
  await host.elsewhere['mcp.test']({ name: 'echoes' })
  await button('Connections').click()
  await button(/^echoes/).click()
  return host
}

test('a tool whose text changes at every start may have any text, until that is taken back', async () => {
  const host = await showEchoes('changing', 'starts')
  await host.elsewhere['mcp.restart']({ name: 'echoes' })
  await button('Test echoes').click()
  await expect.element(card('echoes')).toMatchTextContent('It changed since you agreed to it, so it is off.')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await button('Accept any text of echo').click()
  await expect.element(card('echoes').getByRole('switch', { name: 'echo', exact: true })).toBeChecked()
  await expectAccessible()
  await card('echoes').getByRole('checkbox', { name: 'Its text may change: echo' }).click()
  await expect.element(button('Accept any text of echo')).toBeVisible()
})

test('a text that changed while it was shown is not accepted, but shown anew with the reason', async () => {
  const host = await showEchoes('changing', 'starts')
  await host.elsewhere['mcp.restart']({ name: 'echoes' })
  await button('Test echoes').click()
  // The old number, which is struck out, and the new one.
  await expect.element(card('echoes')).toMatchTextContent('Say a text again (12).')
  // As after an idle time: at the next start the server says something else.
  await host.elsewhere['mcp.restart']({ name: 'echoes' })
  await button('Accept the new text of echo').click()
  await expect.element(page.getByText(/The tool echo of echoes changed since it was shown/)).toBeVisible()
  await expect.element(card('echoes')).toMatchTextContent('Say a text again (13).')
  await expect
    .element(card('echoes').getByRole('switch', { name: 'echo', exact: true }))
    .not.toBeInTheDocument()
  await button('Accept the new text of echo').click()
  await expect.element(card('echoes').getByRole('switch', { name: 'echo', exact: true })).toBeChecked()
})

test('a command that changed while it was shown is not agreed to', async () => {
  const host = await showWindow(undefined, { config: echoes('good') })
  await button('Connections').click()
  await expect.element(button('Agree to echoes')).toBeVisible()
  host.failNext('mcp.accept', new Fault('conflict', 'The server echoes changed since it was shown.'))
  await button('Agree to echoes').click()
  await expect.element(page.getByText('The server echoes changed since it was shown.')).toBeVisible()
  const { servers } = await host.elsewhere['mcp.list']({})
  expect(host.asked.find(({ name }) => name === 'mcp.accept')?.input).toEqual({
    name: 'echoes',
    seen: servers[0]!.seen,
  })
  await button('Agree to echoes').click()
  await expect.element(button('Agree to echoes')).not.toBeInTheDocument()
})

test('the card of a call says which tool it uses, and “Always allow” ends in Settings', async () => {
  const host = await showEchoes('good')
  const { elsewhere } = host
  await elsewhere['mcp.switch']({ name: 'echoes', tool: 'echo', pinned: true })
  await button('New chat').first().click()
  await expect.element(composer()).toBeVisible()
  const ask = async (text: string) => {
    await say(text)
    const asked = await host.nextAsked()
    await asked.call('mcp__echoes__echo', { text: 'Hello.' })
    await asked.end()
  }
  await ask('Say hello')
  await expect.element(question()).toMatchTextContent(/^Use echo of echoes/)
  await expect.element(question().getByRole('figure')).toMatchTextContent('Input')
  await expect.element(question()).not.toMatchTextContent('Runs a command')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  expect(
    question()
      .element()
      .textContent.match(/echoes/g),
  ).toHaveLength(1)
  await button('More answers').click()
  await page.getByRole('menuitem', { name: /^Always allow/ }).click()
  const next = await host.nextAsked()
  expect(JSON.stringify(next.body.messages.at(-1))).toContain('Hello.')
  await next.say('It said hello.')
  await ask('Say it again')
  await (await host.nextAsked()).say('It said it again.')
  await expect.element(transcript()).toMatchTextContent('It said it again.')

  await button('Settings').click()
  await button('Permissions').first().click()
  const grants = page.getByRole('list', { name: 'Tools of servers' })
  await expect.element(grants).toMatchTextContent('Always allowecho of echoes')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await grants.getByRole('button', { name: 'Ask again before echo of echoes' }).click()
  await expect.element(grants).not.toBeInTheDocument()
  const { servers } = await elsewhere['mcp.list']({})
  expect(servers[0]?.tools.find(({ name }) => name === 'echo')?.unasked).toBe(false)
})

test('a server that names no exact version is pinned to the one that npx has, after its command was shown', async () => {
  const cache = { npm_config_cache: '$home/npm' }
  const tool = { name: 'tool', command: 'npx', args: ['-y', 'tool@latest'], env: cache, enabled: false }
  const host = await showWindow(undefined, {
    config: { mcp: { servers: [tool] } },
    homeFiles: {
      'npm/_npx/one/package.json': '{"_npx": {"packages": ["tool@latest"]}}',
      'npm/_npx/one/node_modules/tool/package.json': '{"version": "1.2.3"}',
    },
  })
  await button('Connections').click()
  await button(/^tool/).click()
  await expect.element(card('tool')).toMatchTextContent('Its command names no exact version of tool@latest')
  await button('Pin an exact version…').click()
  const dialog = page.getByRole('dialog', { name: 'Pin the version of tool' })
  await expect.element(dialog).toMatchTextContent('npx has 1.2.3 in its cache')
  await expect.element(dialog.getByLabelText('What changes in the command')).toMatchTextContent('1.2.3')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await dialog.getByRole('button', { name: 'Pin 1.2.3' }).click()
  await expect.element(card('tool')).toMatchTextContent('npx -y tool@1.2.3')
  await expect.element(button('Pin an exact version…')).not.toBeInTheDocument()
  const { servers } = await host.elsewhere['mcp.list']({})
  expect(servers).toMatchObject([{ state: 'disabled', isUnpinned: false }])
})

test('a program that changed shows its old and its new hash in short, apart, and whole behind them', async () => {
  const host = await showWindow(undefined, { config: echoes('good') })
  const { servers, projects } = await host.elsewhere['mcp.list']({})
  const [before, after] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const changes = [{ part: 'SHA-256 of /srv/echo.js', before, after }]
  host.answer({ 'mcp.list': () => ({ servers: [{ ...servers[0]!, changes }], projects }) })
  await button('Connections').click()
  const line = page.getByText(
    'The file /srv/echo.js changed. Its SHA-256 was abababab… and is now cdcdcdcd….',
  )
  await expect.element(line).toBeVisible()
  await expect.element(page.getByText(after, { exact: true })).not.toBeVisible()
  await line.click()
  await expect.element(page.getByText(before, { exact: true })).toBeVisible()
  await expect.element(page.getByText(after, { exact: true })).toBeVisible()
  await expectAccessibleAt(420)
})
