import { acceptServer, switchServer } from '../../../../../testing/mcp/agree.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import type { Asked } from '../../../test/model-script.ts'
import type { TestHost } from '../../../test/test-host.ts'
import { button, composer, openWindow, say, showWindow, transcript } from '../../../test/show-window.tsx'

const card = () => page.getByRole('region', { name: 'A question for you' })
const texts = () => card().getByRole('region', { name: 'Texts from outside' })
const SAID = `Hello from the server.\n${'It says more and more. '.repeat(40)}The end of it.`
const config = {
  mcp: { servers: [{ name: 'echoes', command: '$node', args: ['$misbehaving', 'good'] }] },
}

/** A turn whose model has read a text from a server, and now makes this call. */
async function aMarkedCall(call: (asked: Asked) => Promise<unknown>, said: readonly string[] = [SAID]) {
  const host = await showWindow(undefined, { config })
  await acceptServer(host.elsewhere, { name: 'echoes' })
  await host.elsewhere['mcp.test']({ name: 'echoes' })
  await switchServer(host.elsewhere, { name: 'echoes', tool: 'echo', pinned: true, unasked: true })
  await button('New chat').first().click()
  await expect.element(composer()).toBeVisible()
  await say('Ask the server')
  for (const text of said) {
    const asked = await host.nextAsked()
    await asked.call('mcp__echoes__echo', { text })
    await asked.end()
  }
  const asked = await host.nextAsked()
  await call(asked)
  await asked.end()
  await expect.element(card()).toBeVisible()
  return host
}
const callsDate = (asked: Asked) => asked.call('terminal', { command: 'touch proof' })
const approvals = (host: TestHost) =>
  host.asked.filter(({ name }) => name === 'run.approve').map(({ input }) => input)

test('the card names the text behind a call, with its beginning, and opens all of it', async () => {
  await aMarkedCall(callsDate)
  await expect
    .element(card())
    .toMatchTextContent('This chat has read text from the server echoes, which may have asked for it.')
  await expect.element(texts()).toMatchTextContent('From the server echoes')
  await expect.element(texts()).toMatchTextContent('Hello from the server.')
  await expect.element(texts()).not.toMatchTextContent('The end of it.')
  await button('Show the whole text').click()
  await expect.element(texts().getByRole('figure')).toMatchTextContent('The end of it.')
  await expectAccessibleAt(400)
})

test.for(['click', 'key'] as const)(
  '“I have read it, continue” allows the call once and ends the text, by %s; the chat says so, and after a reload',
  async how => {
    const host = await aMarkedCall(callsDate)
    if (how === 'click') await button(/^I have read it, continue/).click()
    else await userEvent.keyboard('{Control>}j{/Control}r')
    const next = await host.nextAsked()
    expect(approvals(host)).toMatchObject([{ decision: 'once', read: true }])
    await callsDate(next)
    await next.end()
    // The second call asks as if there were no text.
    await expect.element(card()).toBeVisible()
    await expect.element(texts()).not.toBeInTheDocument()
    await expect.element(button(/^I have read it/)).not.toBeInTheDocument()
    await expect.element(transcript()).toMatchTextContent('You have read the text of the server echoes')
    await openWindow(host)
    await expect.element(transcript()).toMatchTextContent('You have read the text of the server echoes')
    await button(/^Deny(?! and)/).click()
    await (await host.nextAsked()).say('Fine.')
  },
)

test('a question of the model in such a chat can be answered with the text read, or without', async () => {
  const host = await aMarkedCall(asked =>
    asked.call('ask_user', { question: 'Which one?', choices: ['A', 'B'] }),
  )
  await expect.element(texts()).toMatchTextContent('From the server echoes')
  await card()
    .getByRole('checkbox', { name: /^I have read it/ })
    .click()
  await card().getByRole('button', { name: 'A', exact: true }).click()
  await (await host.nextAsked()).say('A it is.')
  expect(approvals(host)).toMatchObject([{ decision: 'once', note: 'A', read: true }])
  await expect.element(transcript()).toMatchTextContent('You have read the text of the server echoes')
})

test('many texts are counted and listed, and end together', async () => {
  const said = Array.from({ length: 7 }, (_, at) => `Text ${at}`)
  const host = await aMarkedCall(callsDate, said)
  await expect.element(texts()).toMatchTextContent('7 texts may have led to this question:')
  expect(texts().getByRole('listitem').elements()).toHaveLength(7)
  await expectAccessibleAt(400)
  await button(/^I have read it, continue/).click()
  await (await host.nextAsked()).say('Done.')
  await expect.element(transcript()).toMatchTextContent('You have read the texts of the server echoes')
})
