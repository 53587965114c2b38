import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { button, composer, say, showWindow } from '../../test/show-window.tsx'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { TestHost } from '../../test/test-host.ts'

const notices = () => page.getByRole('region', { name: 'Notices' })
const all = () => page.getByRole('list', { name: 'All notices' })

/** Eight servers at an address that is never asked, each added as a terminal does. */
async function addServers(host: TestHost): Promise<HostClient> {
  const terminal = await host.openTerminal()
  for (let each = 1; each <= 8; each++) {
    const server = {
      name: `far${each}`,
      url: `https://mcp${each}.example.com/a/long/way/to/the/mcp`,
      enabled: false,
    }
    const { seen } = await terminal['mcp.preview']({ server })
    await terminal['mcp.put']({ server, seen })
  }
  return terminal
}

test.for([
  [420, 500],
  [1280, 500],
])(
  'eight notices take one line at %i × %i: the question and the composer stay inside the window',
  async ([width, height]) => {
    await page.viewport(width!, height!)
    const host = await showWindow()
    await say('Write a file')
    const asked = await host.nextAsked()
    await asked.call('write_file', { path: 'a.txt', content: 'one\ntwo\nthree\n'.repeat(20) })
    await asked.end()
    await expect.element(button(/^Allow once/)).toBeInTheDocument()
    await addServers(host)
    await expect.element(notices().getByRole('button', { name: '7 more' })).toBeVisible()
    const line = notices().element().getBoundingClientRect()
    expect(line.height).toBeLessThanOrEqual(45)
    expect(notices().element().scrollWidth).toBe(notices().element().clientWidth)
    const card = page.getByRole('region', { name: 'A question for you' }).element().getBoundingClientRect()
    const field = composer().element().getBoundingClientRect()
    expect(card.top).toBeGreaterThanOrEqual(line.bottom)
    expect(card.bottom).toBeLessThanOrEqual(field.top)
    expect(field.bottom).toBeLessThanOrEqual(height!)
  },
)

test('the list behind the count shows every notice whole, and dismisses one or all of them', async () => {
  const host = await showWindow()
  await addServers(host)
  await expect.element(notices()).toMatchTextContent('The MCP server far8 was added in a terminal.')
  await notices().getByRole('button', { name: '7 more' }).click()
  await expect.element(all().getByRole('listitem').nth(7)).toBeVisible()
  await expect
    .element(all())
    .toMatchTextContent('far1 was added in a terminal. It runs: https://mcp1.example.com')
  await all().getByRole('button', { name: 'Dismiss' }).first().click()
  await expect.element(notices()).toMatchTextContent('The MCP server far7 was added in a terminal.')
  await page.getByRole('button', { name: 'Dismiss all' }).click()
  await expect.element(notices()).toBeEmptyDOMElement()
})

test('a notice about a server is gone once the server is', async () => {
  const host = await showWindow()
  const terminal = await addServers(host)
  await expect.element(notices().getByRole('button', { name: '7 more' })).toBeVisible()
  for (let each = 2; each <= 8; each++) await terminal['mcp.remove']({ name: `far${each}` })
  await expect.element(notices()).toMatchTextContent('The MCP server far1 was added in a terminal.')
  await expect.element(notices().getByRole('button', { name: 'Details' })).toBeVisible()
  await host.elsewhere['mcp.remove']({ name: 'far1' })
  await expect.element(notices()).toBeEmptyDOMElement()
  await userEvent.keyboard('{Escape}')
})
