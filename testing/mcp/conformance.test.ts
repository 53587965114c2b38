import { expect, test } from 'vitest'
import { runScenario, runServerScenario } from '../long/mcp-conformance.ts'
import { bridgeTools } from './bridge-tools.ts'

// The quick scenarios of `npm run test:long -- mcp-conformance`.
test.concurrent.each([
  ['@modelcontextprotocol/conformance', 'tools_call'],
  ['@modelcontextprotocol/conformance', 'http-custom-headers'],
  ['@modelcontextprotocol/conformance', 'http-invalid-tool-headers'],
  ['conformance-older', 'tools_call'],
])('our client passes the scenario of %s: %s', async (suite, scenario) => {
  const { ok, output } = await runScenario(suite, scenario)
  expect(ok, output).toBe(true)
})

// The scenarios for a server with only tools, on standard streams; others need the suite's own tools, prompts
// and resources.
test.concurrent.each(['server-initialize', 'ping', 'tools-list'])(
  'what other programs are offered passes the scenario %s',
  async scenario => {
    await using bridge = await bridgeTools()
    const { ok, output } = await runServerScenario(bridge.url, scenario)
    expect(ok, output).toBe(true)
  },
)

// The failures in these two scenarios are for features that the server lacks, or that only servers on HTTP
// can have.
test.concurrent.each([
  [
    'caching',
    // The server offers neither prompts nor resources, and says so in its capabilities, but the suite asks
    // for both anyway.
    ['PromptsListCachingHints', 'ResourcesListCachingHints', 'ResourcesTemplatesListCachingHints'],
  ],
  [
    'server-stateless',
    [
      // The server supports both eras: a request without the data of the newer era belongs to the older era,
      // and is not an error.
      'RequestMetaInvalid',
      'HttpServerMetaInvalid400',
      // There are no headers on standard streams.
      'HttpServerHeaderMismatch400',
      // These scenarios call a tool of the suite.
      'ServerRejectsUndeclaredCapability',
      'MissingCapabilityHttp400',
    ],
  ],
])('what other programs are offered meets %s but for what it cannot', async (scenario, unmet) => {
  await using bridge = await bridgeTools()
  const { output } = await runServerScenario(bridge.url, scenario)
  const failed = [...output.matchAll(/^ {2}- (\w+): /gm)].map(found => found[1])
  expect(Number(/Passed: (\d+)\//.exec(output)?.[1]), output).toBeGreaterThan(3)
  expect([...new Set(failed)], output).toEqual(unmet)
})
