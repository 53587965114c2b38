import { expect, test } from 'vitest'
import { runScenario, runServerScenario } from '../long/mcp-conformance.ts'
import { bridgeTools } from './bridge-tools.ts'

// The quick ones of what `npm run test:long -- mcp-conformance` runs.
test.concurrent.each([
  ['@modelcontextprotocol/conformance', 'tools_call'],
  ['@modelcontextprotocol/conformance', 'http-custom-headers'],
  ['@modelcontextprotocol/conformance', 'http-invalid-tool-headers'],
  ['conformance-older', 'tools_call'],
])('our client passes the scenario of %s: %s', async (suite, scenario) => {
  const { ok, output } = await runScenario(suite, scenario)
  expect(ok, output).toBe(true)
})

// What suits a server of tools alone, on standard streams: the others want tools, prompts and resources of the suite.
test.concurrent.each(['server-initialize', 'ping', 'tools-list'])(
  'what other programs are offered passes the scenario %s',
  async scenario => {
    await using bridge = await bridgeTools()
    const { ok, output } = await runServerScenario(bridge.url, scenario)
    expect(ok, output).toBe(true)
  },
)
